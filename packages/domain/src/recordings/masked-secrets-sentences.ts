import { isRecord } from '../kernel/json.ts';
import type { Recording, RecordingExchange } from './recording.ts';
import { markNumbers } from './redaction-marks.ts';

export interface MaskedRecording {
  readonly name: string;
  readonly recording: Recording;
  /**
   * The kind of the secret that each redaction mark replaces, by the mark's number; absent in
   * answers of older services.
   */
  readonly masked?: readonly string[];
}

export function maskedSentences(recordings: readonly MaskedRecording[]): string[] {
  const found = new Map<string, { kind: string; place: string; times: number; files: string[] }>();
  for (const { name, recording, masked = [] } of recordings) {
    for (const [place, part] of partsOf(recording)) {
      for (const n of markNumbers(part)) {
        const kind = masked[n - 1] ?? 'secret';
        const key = `${kind} ${place}`;
        const one = found.get(key) ?? { kind, place, times: 0, files: [] };
        found.set(key, one);
        one.times += 1;
        if (!one.files.includes(name)) one.files.push(name);
      }
    }
  }
  return [...found.values()].map(({ kind, place, times, files }) => {
    const [first = '', ...others] = files;
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    const often = times === 1 ? 'once' : `${times} times`;
    return `masked ${kind}, ${often} in ${place}: ${first}${more}.`;
  });
}

function partsOf({ servers, exchanges }: Recording): (readonly [place: string, part: unknown])[] {
  return [
    ...servers.map(
      (server) => [`the description of the server ${server.serverName}`, server] as const,
    ),
    ...exchanges.flatMap(partsOfExchange),
  ];
}

function partsOfExchange(exchange: RecordingExchange): (readonly [string, unknown])[] {
  const { kind, ...parts } = exchange;
  const named =
    'toolName' in exchange ? exchange.toolName : 'method' in exchange ? exchange.method : kind;
  return Object.entries(parts).flatMap(([name, part]) => {
    if (!isRecord(part) && !Array.isArray(part) && typeof part !== 'string') return [];
    return [[`${placeOfPart[name] ?? name} of ${kind === 'model' ? 'the model' : named}`, part]];
  });
}

const placeOfPart: Readonly<Record<string, string>> = {
  request: 'requests',
  arguments: 'arguments',
  result: 'results',
  answer: 'answers',
  error: 'errors',
};
