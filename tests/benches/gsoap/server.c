/* Serves Login with gSOAP, a thread for each connection, all on one core, and prints where. Started as: program file, the file with the answer. */
#define _GNU_SOURCE
#include "soapH.h"
#include "DeviceLoginServiceSoap.nsmap"
#include <pthread.h>
#include <sched.h>
#include <signal.h>

static struct _ns1__LoginResponse *answer;

int __ns1__Login(struct soap *soap, struct _ns1__Login *request, struct _ns1__LoginResponse *response)
{
  if (!request || !request->username)
    return soap_sender_fault(soap, "no user", NULL);
  *response = *answer;
  return SOAP_OK;
}

/* What the bench does not call, and the same operations again over SOAP 1.2. */
#define OTHER(name, function) \
  int function(struct soap *soap, struct _ns1__##name *request, struct _ns1__##name##Response *response) \
  { \
    (void)request, (void)response; \
    return soap_receiver_fault(soap, "not part of the bench", NULL); \
  }
OTHER(Login, __ns1__Login_)
OTHER(LoginWithEncryptedPassword, __ns1__LoginWithEncryptedPassword)
OTHER(LoginWithEncryptedPassword, __ns1__LoginWithEncryptedPassword_)
OTHER(EmailPassword, __ns1__EmailPassword)
OTHER(EmailPassword, __ns1__EmailPassword_)
OTHER(TestConnection, __ns1__TestConnection)
OTHER(TestConnection, __ns1__TestConnection_)
OTHER(Logout, __ns1__Logout)
OTHER(Logout, __ns1__Logout_)
OTHER(NoOp, __ns1__NoOp)
OTHER(NoOp, __ns1__NoOp_)

static void fail(struct soap *soap, const char *what)
{
  soap_print_fault(soap, stderr);
  fprintf(stderr, "gSOAP cannot %s\n", what);
  exit(1);
}

static void read_answer(struct soap *soap, const char *path)
{
  soap->recvfd = open(path, O_RDONLY);
  if (soap_begin_recv(soap) || soap_envelope_begin_in(soap) || soap_recv_header(soap) || soap_body_begin_in(soap))
    fail(soap, "read an envelope");
  answer = soap_get__ns1__LoginResponse(soap, NULL, "ns1:LoginResponse", NULL);
  if (!answer || !answer->LoginResult)
    fail(soap, "read the answer");
}

static void *serve(void *connection)
{
  struct soap *soap = connection;
  soap_serve(soap);
  soap_destroy(soap);
  soap_end(soap);
  soap_free(soap);
  return NULL;
}

int main(int argc, char **argv)
{
  /* Callers close connections before they have read all answers. */
  signal(SIGPIPE, SIG_IGN);
  cpu_set_t core;
  CPU_ZERO(&core);
  CPU_SET(0, &core);
  sched_setaffinity(0, sizeof core, &core);
  struct soap *kept = soap_new1(SOAP_C_UTFSTRING | SOAP_XML_TREE);
  read_answer(kept, argc > 1 ? argv[1] : "");
  /* SOAP_IO_STORE: an answer with a length, in one piece. */
  int mode = SOAP_IO_KEEPALIVE | SOAP_IO_STORE | SOAP_C_UTFSTRING | SOAP_XML_TREE;
  struct soap *soap = soap_new2(mode, mode | SOAP_XML_DEFAULTNS);
  soap->max_keep_alive = INT_MAX;
  if (!soap_valid_socket(soap_bind(soap, "127.0.0.1", 0, 128)))
    fail(soap, "listen");
  struct sockaddr_in address;
  socklen_t length = sizeof address;
  getsockname(soap->master, (struct sockaddr *)&address, &length);
  printf("127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (;;) {
    if (!soap_valid_socket(soap_accept(soap)))
      fail(soap, "accept");
    int yes = 1;
    setsockopt(soap->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve, soap_copy(soap)))
      return 1;
    pthread_detach(thread);
  }
}
