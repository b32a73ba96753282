/* An echo over UDP by the calls that bench-udp's profile tuned makes, and with nothing else: recvmmsg and sendmmsg, and
 * datagrams of one length to one receiver as a train (UDP_SEGMENT, UDP_GRO). No clock, header, checksum or tally.
 *
 *   echo server PORT
 *   echo client PORT CLIENTS PARALLEL BYTES SECONDS    writes messages/s and how many got lost
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum {
    most_in_call = 64,
    most_in_train = 64,
    most_train_bytes = 65507,
    room_bytes = 65536 + 192,
    socket_buffer_bytes = 1 << 20,
    drain_milliseconds = 500,
    of_udp = 17,
    train_sent = 103,
    train_received = 104,
};

struct train {
    struct cmsghdr head;
    int datagram_bytes;
};

/* What one call receives, or sends. */
struct batch {
    struct mmsghdr packets[most_in_call];
    struct iovec places[most_in_call];
    struct train trains[most_in_call];
    struct sockaddr_in addresses[most_in_call];
};

static struct batch arrivals;
static struct batch departures;
static char *received;
static char *content;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void set(int file, int level, int option, int value)
{
    if (setsockopt(file, level, option, &value, sizeof value) != 0) {
        fail("setsockopt");
    }
}

static int new_socket(void)
{
    int file = socket(AF_INET, SOCK_DGRAM, 0);
    if (file < 0) {
        fail("socket");
    }
    set(file, SOL_SOCKET, SO_RCVBUF, socket_buffer_bytes);
    set(file, SOL_SOCKET, SO_SNDBUF, socket_buffer_bytes);
    set(file, of_udp, train_received, 1);
    return file;
}

static struct sockaddr_in loopback(const char *port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((unsigned short)atoi(port)),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    return address;
}

/* How many packets came; -1: none. */
static int receive(int file, int most, int flags)
{
    for (int packet = 0; packet < most; packet++) {
        struct msghdr *head = &arrivals.packets[packet].msg_hdr;
        arrivals.places[packet].iov_base = received + (size_t)packet * room_bytes;
        arrivals.places[packet].iov_len = room_bytes;
        head->msg_name = &arrivals.addresses[packet];
        head->msg_namelen = sizeof arrivals.addresses[packet];
        head->msg_iov = &arrivals.places[packet];
        head->msg_iovlen = 1;
        head->msg_control = &arrivals.trains[packet];
        head->msg_controllen = sizeof arrivals.trains[packet];
    }
    return recvmmsg(file, arrivals.packets, (unsigned)most, flags, NULL);
}

/* The length of each message of a packet that came. */
static int message_bytes(int packet)
{
    struct train *train = &arrivals.trains[packet];
    int is_train = arrivals.packets[packet].msg_hdr.msg_controllen > 0 && train->head.cmsg_level == of_udp
        && train->head.cmsg_type == train_received;
    return is_train ? train->datagram_bytes : (int)arrivals.packets[packet].msg_len;
}

/* Names the receiver, and where the packet is a train how long its datagrams are. */
static void address(int packet, void *name, socklen_t name_bytes, int bytes, int is_train)
{
    struct msghdr *head = &departures.packets[packet].msg_hdr;
    struct train *train = &departures.trains[packet];
    head->msg_name = name;
    head->msg_namelen = name_bytes;
    head->msg_control = is_train ? train : NULL;
    head->msg_controllen = is_train ? sizeof *train : 0;
    train->head.cmsg_level = of_udp;
    train->head.cmsg_type = train_sent;
    train->head.cmsg_len = CMSG_LEN(sizeof(unsigned short));
    train->datagram_bytes = bytes;
}

/* What is refused is left out. */
static void send_all(int file, int count)
{
    int sent = 0;
    while (sent < count) {
        int went = sendmmsg(file, departures.packets + sent, (unsigned)(count - sent), 0);
        if (went > 0) {
            sent += went;
        } else if (errno != EINTR) {
            sent++;
        }
    }
}

/* Sends back what came: what one sender sent goes together, from where it lies. */
static void answer(int file, int came)
{
    int count = 0;
    int packet = 0;
    while (packet < came) {
        int first = packet;
        int bytes = message_bytes(first);
        int total = 0;
        do {
            arrivals.places[packet].iov_len = arrivals.packets[packet].msg_len;
            total += (int)arrivals.packets[packet].msg_len;
            packet++;
        } while (packet < came && bytes > 0 && message_bytes(packet) == bytes
            && total + (int)arrivals.packets[packet].msg_len <= most_train_bytes
            && total + (int)arrivals.packets[packet].msg_len <= most_in_train * bytes
            && memcmp(&arrivals.addresses[packet], &arrivals.addresses[first], sizeof(struct sockaddr_in)) == 0);
        departures.packets[count].msg_hdr.msg_iov = &arrivals.places[first];
        departures.packets[count].msg_hdr.msg_iovlen = (size_t)(packet - first);
        address(count, &arrivals.addresses[first], sizeof arrivals.addresses[first], bytes, total > bytes);
        count++;
    }
    send_all(file, count);
}

static void serve(const char *port)
{
    struct sockaddr_in own = loopback(port);
    int file = new_socket();
    if (bind(file, (struct sockaddr *)&own, sizeof own) != 0) {
        fail("bind");
    }
    for (;;) {
        int came = receive(file, most_in_call, MSG_WAITFORONE);
        if (came > 0) {
            answer(file, came);
        }
    }
}

/* Sends so many messages on a connected socket. */
static void send_messages(int file, int count, int bytes)
{
    int together = most_train_bytes / bytes < most_in_train ? most_train_bytes / bytes : most_in_train;
    int packets = 0;
    while (count > 0) {
        int laid = count < together ? count : together;
        departures.places[packets].iov_base = content;
        departures.places[packets].iov_len = (size_t)laid * (size_t)bytes;
        departures.packets[packets].msg_hdr.msg_iov = &departures.places[packets];
        departures.packets[packets].msg_hdr.msg_iovlen = 1;
        address(packets, NULL, 0, bytes, laid > 1);
        packets++;
        count -= laid;
        if (packets == most_in_call || count == 0) {
            send_all(file, packets);
            packets = 0;
        }
    }
}

/* How many messages came on a socket. */
static int receive_messages(int file, int most)
{
    int messages = 0;
    int came = receive(file, most, MSG_DONTWAIT);
    for (int packet = 0; packet < came; packet++) {
        messages += (int)arrivals.packets[packet].msg_len / message_bytes(packet);
    }
    return messages;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Clients with so many messages in flight each: passes over their sockets, and each answer is followed by the next
 * message. A pass that finds none waits in the socket behind the last one that had some. */
static void load(const char *port, int clients, int parallel, int bytes, double seconds)
{
    struct sockaddr_in server = loopback(port);
    int *files = calloc((size_t)clients, sizeof *files);
    int most = parallel < most_in_call ? parallel : most_in_call;
    int awaited = 0;
    long completed = 0;
    long in_flight = (long)clients * parallel;
    for (int client = 0; client < clients; client++) {
        files[client] = new_socket();
        if (connect(files[client], (struct sockaddr *)&server, sizeof server) != 0) {
            fail("connect");
        }
    }
    double began = now();
    double ends = began + seconds;
    double ended = 0;
    for (int client = 0; client < clients; client++) {
        send_messages(files[client], parallel, bytes);
    }
    for (double at = began; in_flight > 0 && at < ends + drain_milliseconds * 1e-3; at = now()) {
        int any = 0;
        if (at >= ends && ended == 0) {
            ended = at;
        }
        for (int client = 0; client < clients; client++) {
            int messages = receive_messages(files[client], most);
            if (messages == 0) {
                continue;
            }
            any = 1;
            awaited = client + 1 == clients ? 0 : client + 1;
            if (ended > 0) {
                in_flight -= messages;
            } else {
                completed += messages;
                send_messages(files[client], messages, bytes);
            }
        }
        if (!any) {
            struct pollfd file = { .fd = files[awaited], .events = POLLIN };
            poll(&file, 1, 1);
        }
    }
    printf("%.0f %ld\n", (double)completed / (ended - began), in_flight);
}

int main(int count, char **words)
{
    received = malloc((size_t)most_in_call * room_bytes);
    content = calloc(1, most_train_bytes);
    if (received == NULL || content == NULL) {
        fail("malloc");
    }
    if (count == 3 && strcmp(words[1], "server") == 0) {
        serve(words[2]);
    }
    if (count == 7 && strcmp(words[1], "client") == 0) {
        load(words[2], atoi(words[3]), atoi(words[4]), atoi(words[5]), atof(words[6]));
        return 0;
    }
    fprintf(stderr, "echo: server PORT, or client PORT CLIENTS PARALLEL BYTES SECONDS\n");
    return 2;
}
