// The messages of the service Files, with bytes in MTOM, for soapcpp2.
#import "xop.h"

//gsoap ns service name: Files
//gsoap ns service namespace: urn:example:files
//gsoap ns schema namespace: urn:example:files
//gsoap ns schema form: qualified

typedef char *xsd__string;

struct ns__Bytes { _xop__Include xop__Include 1; };
struct ns__Folder { xsd__string ns__Name 0; struct ns__Bytes *ns__First 0; };
struct ns__KeepResponse { int ns__KeepResult 1; };
struct ns__EchoResponse { struct ns__Folder *ns__EchoResult 0; };

//gsoap ns service method-style: Keep document
//gsoap ns service method-encoding: Keep literal
//gsoap ns service method-action: Keep "urn:example:files/Keep"
int ns__Keep(struct ns__Bytes *ns__data, struct ns__KeepResponse *response);

//gsoap ns service method-style: Echo document
//gsoap ns service method-encoding: Echo literal
//gsoap ns service method-action: Echo "urn:example:files/Echo"
int ns__Echo(struct ns__Folder *ns__folder, struct ns__EchoResponse *response);
