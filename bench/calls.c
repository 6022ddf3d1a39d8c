/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The target: calls getppid in a loop on the first CPU it may use, and tells what a call took.
 *
 * calls [WHAT]: each line of stdin, "N" or "N RATE", is a round of N calls, at most RATE a second.
 * After it prints the ns per call, the median of a hundred slices, and the calls per second of the
 * whole. With open the call is openat of a path that does not exist, with file of one that does,
 * which is closed again; with signal it sends itself a signal that is ignored; with yield another
 * process takes the CPU, and gives it back; with fault a page is touched that is not there; with
 * exec a child runs /bin/true; with connect nobody listens; with datagram it sends itself one.
 *
 * calls first COMMAND [ARG]...: runs a tracer on the other CPUs, "{}" in an ARG standing for our
 * own pid, and prints how many ms passed from its start until calls took longer for good.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	SLICES = 100,
	PACE_CALLS = 100,       /* between looks at the clock */
	FIRST_CALLS = 16,       /* of a slice, when waiting for a tracer */
	FIRST_BASELINE = 10000, /* slices */
	FIRST_SLOW = 64,        /* in a row: it is there */
	FIRST_PATIENCE = 10,    /* seconds */
};

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * UINT64_C(1000000000) + t.tv_nsec;
}

static const char nowhere[] = "/usr/lib/x86_64-linux-gnu/libnowhere.so.6";
static const char somewhere[] = "/usr/lib/os-release";

static void call_getppid(void)
{
	syscall(SYS_getppid);
}

static void open_nowhere(void)
{
	syscall(SYS_openat, AT_FDCWD, nowhere, O_RDONLY | O_CLOEXEC);
}

static void open_file(void)
{
	close(syscall(SYS_openat, AT_FDCWD, somewhere, O_RDONLY | O_CLOEXEC));
}

static void send_signal(void)
{
	kill(getpid(), SIGURG);
}

static void yield(void)
{
	sched_yield();
}

/* A page that is not there; after so many they are given back. */
static void fault(void)
{
	enum { PAGES = 4096, PAGE = 4096 };
	static volatile char *memory;
	static int page;

	if (!memory)
		memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page % PAGES == 0)
		madvise((void *)memory, PAGES * PAGE, page ? MADV_DONTNEED : MADV_NOHUGEPAGE);
	memory[page++ % PAGES * PAGE] = 1;
}

static void run_program(void)
{
	pid_t child = vfork();

	if (!child) {
		execl("/bin/true", "true", "--one", "--two", (char *)NULL);
		_exit(127);
	}
	waitpid(child, NULL, 0);
}

static int local_socket(int type, struct sockaddr_in *address)
{
	socklen_t bytes = sizeof(*address);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	*address = (struct sockaddr_in){.sin_family = AF_INET,
					.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	bind(fd, (struct sockaddr *)address, bytes);
	getsockname(fd, (struct sockaddr *)address, &bytes);
	return fd;
}

/* There is nobody: connecting ends at once. */
static void connect_somewhere(void)
{
	static struct sockaddr_in address;
	int fd;

	if (!address.sin_port)
		local_socket(SOCK_STREAM, &address);
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	connect(fd, (struct sockaddr *)&address, sizeof(address));
	close(fd);
}

/* To ourselves, where nobody reads. */
static void send_datagram(void)
{
	static struct sockaddr_in address;
	static int fd;

	if (!fd)
		fd = local_socket(SOCK_DGRAM, &address);
	sendto(fd, &address, 8, 0, (struct sockaddr *)&address, sizeof(address));
}

static const struct {
	const char *name;
	void (*call)(void);
} kinds[] = {
	{"getppid", call_getppid},
	{"open", open_nowhere},
	{"file", open_file},
	{"signal", send_signal},
	{"yield", yield},
	{"fault", fault},
	{"exec", run_program},
	{"connect", connect_somewhere},
	{"datagram", send_datagram},
};

enum { N_KINDS = sizeof(kinds) / sizeof(kinds[0]) };
static size_t kind;

static inline void call(uint64_t n)
{
	while (n--)
		kinds[kind].call();
}

/* Ends with us. */
static void start_partner(void)
{
	if (fork())
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (1)
		sched_yield();
}

/* N calls in NS_EACH or more each: what they took. */
static uint64_t slice(uint64_t n, double ns_each)
{
	uint64_t start = now();

	if (ns_each == 0) {
		call(n);
		return now() - start;
	}
	for (uint64_t done = 0; done < n; done += PACE_CALLS) {
		call(n - done < PACE_CALLS ? n - done : PACE_CALLS);
		while (now() - start < done * ns_each)
			;
	}
	return now() - start;
}

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The value that a share of Q lies below. */
static uint64_t quantile(uint64_t *values, size_t n, double q)
{
	qsort(values, n, sizeof(*values), by_size);
	return values[(size_t)(q * n)];
}

static int rounds(void)
{
	uint64_t took[SLICES], n, start, each;
	char line[64];
	double rate;

	while (fgets(line, sizeof(line), stdin)) {
		rate = 0;
		if (sscanf(line, "%" SCNu64 " %lf", &n, &rate) < 1 || n < SLICES)
			return 2;
		each = n / SLICES;
		start = now();
		for (int i = 0; i < SLICES; i++)
			took[i] = slice(each, rate > 0 ? 1e9 / rate : 0);
		start = now() - start;
		printf("%.1f %.0f\n", (double)quantile(took, SLICES, 0.5) / each,
		       each * SLICES * 1e9 / start);
		fflush(stdout);
	}
	return 0;
}

/* The tracer, off our CPU and silent. */
static pid_t start_tracer(char **argv, const cpu_set_t *others)
{
	pid_t child = fork();
	int null;

	if (child)
		return child;
	sched_setaffinity(0, sizeof(*others), others);
	null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd <= 2; fd++)
		dup2(null, fd);
	execvp(*argv, argv);
	_exit(127);
}

/* Replaces each {} in ARGUMENT by our pid. */
static char *with_pid(char *argument)
{
	char *at = strstr(argument, "{}"), *filled;

	if (!at)
		return argument;
	if (asprintf(&filled, "%.*s%d%s", (int)(at - argument), argument, getpid(), at + 2) < 0)
		exit(1);
	return filled;
}

static int first(char **argv, const cpu_set_t *others)
{
	uint64_t *base = malloc(FIRST_BASELINE * sizeof(*base)), limit, start, at = 0;
	pid_t tracer;
	int slow = 0;

	for (char **argument = argv; *argument; argument++)
		*argument = with_pid(*argument);
	for (int i = 0; i < FIRST_BASELINE; i++)
		base[i] = slice(FIRST_CALLS, 0);
	limit = quantile(base, FIRST_BASELINE, 0.25) * 5 / 4;
	free(base);
	start = now();
	tracer = start_tracer(argv, others);
	while (slow < FIRST_SLOW && now() - start < FIRST_PATIENCE * UINT64_C(1000000000)) {
		uint64_t before = now();

		if (slice(FIRST_CALLS, 0) < limit)
			slow = 0;
		else if (!slow++)
			at = before;
	}
	kill(tracer, SIGINT);
	waitpid(tracer, NULL, 0);
	if (slow < FIRST_SLOW)
		return 1;
	printf("%.2f\n", (at - start) / 1e6);
	return 0;
}

int main(int argc, char **argv)
{
	cpu_set_t ours, others;
	int cpu = 0;

	sched_getaffinity(0, sizeof(others), &others);
	while (!CPU_ISSET(cpu, &others))
		cpu++;
	CPU_ZERO(&ours);
	CPU_SET(cpu, &ours);
	CPU_CLR(cpu, &others);
	sched_setaffinity(0, sizeof(ours), &ours);
	if (argc > 2 && !strcmp(argv[1], "first"))
		return first(argv + 2, &others);
	if (argc == 1)
		return rounds();
	while (kind < N_KINDS && strcmp(argv[1], kinds[kind].name))
		kind++;
	if (!strcmp(argv[1], "yield"))
		start_partner();
	return kind < N_KINDS ? rounds() : 2;
}
