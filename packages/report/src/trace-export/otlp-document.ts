/**
 * The fields of an OTLP `ExportTraceServiceRequest` that exports use, as JSON: ids in hex, 64-bit
 * numbers as text, enums as numbers, unset fields omitted.
 */
export interface OtlpDocument {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string; readonly version: string };
      readonly spans: readonly OtlpSpan[];
    }[];
  }[];
}

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: (typeof spanKinds)[keyof typeof spanKinds];
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly events?: readonly {
    readonly timeUnixNano: string;
    readonly name: string;
    readonly attributes: readonly OtlpAttribute[];
  }[];
  readonly status?: { readonly code: (typeof spanStatuses)[keyof typeof spanStatuses] };
}

export interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

export type OtlpValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly arrayValue: { readonly values: readonly OtlpValue[] } };

export const spanKinds = { internal: 1, client: 3 } as const;
export const spanStatuses = { ok: 1, error: 2 } as const;

type Given = string | number | readonly string[] | null | undefined;

/** Keeps the given order and omits undefined attributes. */
export function attributesOf(given: Readonly<Record<string, Given>>): OtlpAttribute[] {
  return Object.entries(given).flatMap(([key, value]) => {
    const read = toValue(value);
    return read === undefined ? [] : [{ key, value: read }];
  });
}

function toValue(value: Given): OtlpValue | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return { stringValue: value.toWellFormed() };
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? { intValue: String(value) } : undefined;
  }
  return { arrayValue: { values: value.map((one) => ({ stringValue: one.toWellFormed() })) } };
}

/**
 * The latest exported time, in milliseconds since 1970. As nanoseconds, later times exceed 63 bits,
 * which some readers cannot store.
 */
const latestMs = 9_000_000_000_000;

export function nanosecondsOf(ms: number): string {
  const bounded = Math.min(Math.max(Number.isFinite(ms) ? ms : 0, 0), latestMs);
  const whole = Math.floor(bounded);
  const rest = Math.round((bounded - whole) * 1_000_000);
  return String(BigInt(whole) * 1_000_000n + BigInt(rest));
}

export function otlpDocument(
  spans: readonly OtlpSpan[],
  { projectId, version }: { readonly projectId: string; readonly version: string },
): OtlpDocument {
  if (spans.length === 0) return { resourceSpans: [] };
  const attributes = attributesOf({
    'service.name': 'proofmark',
    'service.version': version,
    'proofmark.project_id': projectId,
  });
  const scope = { name: 'proofmark', version };
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope, spans }] }] };
}
