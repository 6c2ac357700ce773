/**
 * Reads OTLP/JSON strictly by the published protobuf definitions. A field that the definitions
 * lack, or that has another type, differs after a round trip through the wire format.
 */
import root from '@opentelemetry/otlp-transformer/build/src/generated/root.js';

// biome-ignore lint/suspicious/noExplicitAny: the generated definitions come without types.
const { ExportTraceServiceRequest } = (root as any).opentelemetry.proto.collector.trace.v1;

/**
 * Returns the document as sent (`sent`) and after a round trip through the protobuf definitions
 * (`read`).
 */
export function readOtlpTraces(text: string): { readonly sent: unknown; readonly read: unknown } {
  const sent: unknown = JSON.parse(text);
  const message = ExportTraceServiceRequest.fromObject(mapIds(sent, 'hex', 'base64'));
  const problem: string | null = ExportTraceServiceRequest.verify(message);
  if (problem !== null) throw new Error(problem);
  const received = ExportTraceServiceRequest.decode(
    ExportTraceServiceRequest.encode(message).finish(),
  );
  const shown = ExportTraceServiceRequest.toObject(received, {
    longs: String,
    bytes: String,
    enums: Number,
  });
  return { sent: withoutEmptyLists(sent), read: withoutEmptyLists(mapIds(shown, 'base64', 'hex')) };
}

const idFields = new Set(['traceId', 'spanId', 'parentSpanId']);

/** Ids are bytes. OTLP/JSON encodes them in hex, other protobuf JSON in base 64. */
function mapIds(value: unknown, from: BufferEncoding, to: BufferEncoding): unknown {
  return mapEntries(value, (key, one) =>
    idFields.has(key) && typeof one === 'string'
      ? Buffer.from(one, from).toString(to)
      : mapIds(one, from, to),
  );
}

/** The wire format does not distinguish an empty list from a missing one. */
function withoutEmptyLists(value: unknown): unknown {
  return mapEntries(value, (_key, one) =>
    Array.isArray(one) && one.length === 0 ? undefined : withoutEmptyLists(one),
  );
}

function mapEntries(value: unknown, map: (key: string, one: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => map('', one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, map(key, one)]));
}
