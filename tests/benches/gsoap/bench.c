/* Reads and writes the documents of the speed bench with gSOAP: `read 1000 response` answers the nanoseconds that took.
   Started as: program name file name file ... */
#include "soapH.h"
#include "DeviceLoginServiceSoap.nsmap"
#include <time.h>

#define MOST 16

static struct { const char *name; char *text; size_t length; } documents[MOST];
static int count;

/* The written bytes end here. */
static char *written;
static size_t written_length, written_room;

static int keep(struct soap *soap, const char *bytes, size_t length)
{
  (void)soap;
  if (written_length + length > written_room)
    return SOAP_EOF;
  memcpy(written + written_length, bytes, length);
  written_length += length;
  return SOAP_OK;
}

/* What soap->frecv gives out. */
static const char *unread;
static size_t unread_length;

static size_t give(struct soap *soap, char *bytes, size_t room)
{
  (void)soap;
  if (room > unread_length)
    room = unread_length;
  memcpy(bytes, unread, room);
  unread += room;
  unread_length -= room;
  return room;
}

static void fail(struct soap *soap, const char *what)
{
  soap_print_fault(soap, stderr);
  fprintf(stderr, "gSOAP cannot %s\n", what);
  exit(1);
}

static void begin(struct soap *soap, int at)
{
  unread = documents[at].text;
  unread_length = documents[at].length;
  if (soap_begin_recv(soap) || soap_envelope_begin_in(soap) || soap_recv_header(soap) || soap_body_begin_in(soap))
    fail(soap, "read an envelope");
}

static void end(struct soap *soap)
{
  if (soap_body_end_in(soap) || soap_envelope_end_in(soap) || soap_end_recv(soap))
    fail(soap, "read to the end");
}

static struct _ns1__Login *read_request(struct soap *soap, int at)
{
  begin(soap, at);
  struct _ns1__Login *request = soap_get__ns1__Login(soap, NULL, "ns1:Login", NULL);
  if (!request || !request->username)
    fail(soap, "read a request");
  end(soap);
  return request;
}

static struct _ns1__LoginResponse *read_response(struct soap *soap, int at)
{
  begin(soap, at);
  struct _ns1__LoginResponse *response = soap_get__ns1__LoginResponse(soap, NULL, "ns1:LoginResponse", NULL);
  if (!response || !response->LoginResult || !response->LoginResult->AdditionalInfo)
    fail(soap, "read a response");
  end(soap);
  return response;
}

static void write_head(struct soap *soap)
{
  written_length = 0;
  if (soap_begin_send(soap) || soap_envelope_begin_out(soap) || soap_putheader(soap) || soap_body_begin_out(soap))
    fail(soap, "write an envelope");
}

static void write_end(struct soap *soap)
{
  if (soap_body_end_out(soap) || soap_envelope_end_out(soap) || soap_end_send(soap))
    fail(soap, "write to the end");
}

static void write_request(struct soap *soap, const struct _ns1__Login *request)
{
  write_head(soap);
  if (soap_put__ns1__Login(soap, request, "ns1:Login", ""))
    fail(soap, "write a request");
  write_end(soap);
}

static void write_response(struct soap *soap, const struct _ns1__LoginResponse *response)
{
  write_head(soap);
  if (soap_put__ns1__LoginResponse(soap, response, "ns1:LoginResponse", ""))
    fail(soap, "write a response");
  write_end(soap);
}

static long long now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv)
{
  for (int index = 1; index + 1 < argc && count < MOST; index += 2, count++) {
    FILE *file = fopen(argv[index + 1], "rb");
    fseek(file, 0, SEEK_END);
    documents[count].length = ftell(file);
    rewind(file);
    documents[count].text = malloc(documents[count].length + 1);
    if (fread(documents[count].text, 1, documents[count].length, file) != documents[count].length)
      return 1;
    documents[count].text[documents[count].length] = 0;
    documents[count].name = argv[index];
    fclose(file);
  }
  written_room = 16 << 20;
  written = malloc(written_room);
  struct soap *soap = soap_new2(SOAP_C_UTFSTRING | SOAP_XML_TREE, SOAP_C_UTFSTRING | SOAP_XML_TREE | SOAP_XML_DEFAULTNS);
  struct soap *kept = soap_new2(SOAP_C_UTFSTRING | SOAP_XML_TREE, SOAP_C_UTFSTRING);
  soap->frecv = kept->frecv = give;
  soap->fsend = keep;
  char line[256], what[16], name[64];
  long long times;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "%15s %lld %63[^\n]", what, &times, name) != 3)
      return 1;
    int at = 0;
    while (at < count && strcmp(documents[at].name, name))
      at++;
    if (at == count)
      return 1;
    int request = !strcmp(name, "request");
    long long took;
    if (!strcmp(what, "read")) {
      long long start = now();
      for (long long turn = 0; turn < times; turn++) {
        if (request)
          read_request(soap, at);
        else
          read_response(soap, at);
        soap_destroy(soap);
        soap_end(soap);
      }
      took = now() - start;
    } else {
      void *value = request ? (void *)read_request(kept, at) : (void *)read_response(kept, at);
      long long start = now();
      for (long long turn = 0; turn < times; turn++) {
        if (request)
          write_request(soap, value);
        else
          write_response(soap, value);
        soap_end(soap);
      }
      took = now() - start;
      soap_destroy(kept);
      soap_end(kept);
    }
    printf("%lld\n", took);
    fflush(stdout);
  }
  return 0;
}
