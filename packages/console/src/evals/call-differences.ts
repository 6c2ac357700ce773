/**
 * Expected calls beside observed ones, each as a line of text in pieces, with the pieces marked that the other side does
 * not have. A call is compared with the first one of the same name that is not taken; a call without a partner is
 * marked by its name, an argument that only one side has by its name too, and one that differs by its value. Where an
 * expected call names its server, calls of other servers' tools are other calls.
 */
import { namesServer } from '@proofmark/domain';

export interface Piece {
  readonly text: string;
  readonly isDifferent: boolean;
}

export type CallLine = readonly Piece[];

interface Call {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export function compareCalls(
  expected: readonly unknown[],
  observed: readonly unknown[],
): { readonly expected: CallLine[]; readonly observed: CallLine[] } {
  const withServer = namesServer(expected);
  const wanted = expected.map((call) => readCall(call, withServer));
  const made = observed.map((call) => readCall(call, withServer));
  const partners = new Map<Call, Call>();
  for (const call of wanted) {
    const partner = made.find(
      ({ name }, at) => name === call.name && !partners.has(made[at] as Call),
    );
    if (partner === undefined) continue;
    partners.set(call, partner);
    partners.set(partner, call);
  }
  const lineOf = (call: Call) => line(call, partners.get(call));
  return { expected: wanted.map(lineOf), observed: made.map(lineOf) };
}

/** A call as one line, nothing marked. */
export function callText(call: unknown): string {
  const read = readCall(call);
  return line(read, read)
    .map(({ text }) => text)
    .join('');
}

function line(call: Call, partner: Call | undefined): CallLine {
  const pieces: Piece[] = [{ text: call.name, isDifferent: partner === undefined }, same('(')];
  for (const [index, [name, value]] of Object.entries(call.parameters).entries()) {
    if (index > 0) pieces.push(same(', '));
    const written = write(value);
    const isKnown = partner !== undefined && Object.hasOwn(partner.parameters, name);
    const isDifferent = isKnown && write(partner.parameters[name]) !== written;
    pieces.push({ text: name, isDifferent: partner !== undefined && !isKnown });
    pieces.push(same(': '), { text: written, isDifferent });
  }
  return [...pieces, same(')')];
}

function same(text: string): Piece {
  return { text, isDifferent: false };
}

function readCall(call: unknown, withServer = false): Call {
  const fields = isRecord(call) ? call : {};
  const name = fields['toolName'] ?? fields['tool'] ?? fields['name'];
  const parameters = fields['arguments'] ?? fields['args'] ?? fields['input'];
  const { serverName } = fields;
  const server = withServer && typeof serverName === 'string' ? `${serverName} / ` : '';
  return {
    name: `${server}${typeof name === 'string' && name !== '' ? name : '(no name)'}`,
    parameters: isRecord(parameters) ? parameters : {},
  };
}

/** The order of keys says nothing, so it makes no difference. */
function write(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      isRecord(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
        : inner,
    ) ?? 'undefined'
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
