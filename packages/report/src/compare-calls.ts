/**
 * Compares expected calls with observed ones. Each call becomes a line of pieces, and pieces that
 * differ are marked.
 * Calls are paired as the matcher pairs them: first the calls that meet an expectation, then calls
 * of the same name for the remaining expectations. A call that never reached a tool matches
 * nothing.
 * If an expected call names its server or turn, only calls of that server or turn match. If the
 * call must be made several times, calls of earlier turns also count.
 */
import {
  type ArgumentMatching,
  argumentMatchings,
  argumentsMatch,
  asRecord,
  readToolCalls,
  type ToolCall,
} from '@proofmark/domain';
import type { CallDifferences } from './call-differences.ts';
import {
  namesServer,
  notMadeWords,
  oftenWords,
  statedCount,
  statedTurn,
  turnSuffix,
} from './show-call.ts';

export interface Piece {
  readonly text: string;
  readonly isDifferent: boolean;
}

export type CallLine = readonly Piece[];

interface Call {
  readonly name: string;
  readonly parameters: ToolCall['arguments'];
  readonly notMade: ToolCall['notMade'];
  readonly matching: ArgumentMatching;
  readonly minCount: number;
  readonly promptIndex: ToolCall['promptIndex'];
}

interface Pairing {
  readonly met: Map<Call, number>;
  /**
   * Pairs of calls with the same name but different arguments. Each call of a pair is a key for the
   * other call.
   */
  readonly unlike: Map<Call, Call>;
  readonly taken: Set<Call>;
}

export function compareCalls(
  expected: readonly unknown[],
  observed: readonly unknown[],
  marks: CallDifferences = { missing: true, extra: true },
): { readonly expected: CallLine[]; readonly observed: CallLine[] } {
  const withServer = namesServer(expected);
  const wanted = expected.map((call) => readCall(call, withServer));
  const made = observed.map((call) => readCall(call, withServer));
  const pairing = pairCalls(wanted, made);
  return {
    expected: wanted.map((call) => wantedLine(call, pairing, marks.missing)),
    observed: made.map((call) => {
      const isExtra = marks.extra && !pairing.taken.has(call);
      return madeLine(call, marks.missing ? pairing.unlike.get(call) : undefined, isExtra);
    }),
  };
}

export function callText(call: unknown): string {
  return line(readCall(call), false, () => undefined)
    .map(({ text }) => text)
    .join('');
}

function pairCalls(wanted: readonly Call[], made: readonly Call[]): Pairing {
  const pairing: Pairing = { met: new Map(), unlike: new Map(), taken: new Set() };
  const free = (call: Call, one: Call) => one.name === call.name && !pairing.taken.has(one);
  for (const call of wanted) {
    const alike = made.filter((one) => free(call, one) && isMetBy(call, one));
    const inTurn = alike.filter((one) => isOfTurn(call, one));
    const meeting = [...inTurn, ...(inTurn.length > 0 ? alike.filter(isEarlierThan(call)) : [])];
    for (const one of meeting.slice(0, call.minCount)) pairing.taken.add(one);
    pairing.met.set(call, Math.min(meeting.length, call.minCount));
  }
  for (const call of wanted) {
    if ((pairing.met.get(call) ?? 0) > 0) continue;
    const partner = made.find((one) => free(call, one) && isOfTurn(call, one) && mayBeMeant(one));
    if (partner === undefined) continue;
    pairing.taken.add(partner);
    pairing.unlike.set(call, partner).set(partner, call);
  }
  return pairing;
}

function isMetBy({ parameters, matching }: Call, made: Call): boolean {
  return made.notMade === undefined && argumentsMatch(parameters, made.parameters, matching);
}

function isOfTurn({ promptIndex }: Call, made: Call): boolean {
  return (
    promptIndex === undefined || made.promptIndex === undefined || promptIndex === made.promptIndex
  );
}

function isEarlierThan({ promptIndex }: Call): (made: Call) => boolean {
  return (made) =>
    promptIndex !== undefined && made.promptIndex !== undefined && made.promptIndex < promptIndex;
}

function mayBeMeant({ notMade }: Call): boolean {
  return notMade === undefined || notMade === 'invalidArguments';
}

function wantedLine(call: Call, { met, unlike }: Pairing, isMarked: boolean): CallLine {
  const found = met.get(call) ?? 0;
  const partner = isMarked ? unlike.get(call) : undefined;
  const pieces = line(call, isMarked && found === 0 && partner === undefined, (name) => {
    if (partner === undefined) return undefined;
    if (!Object.hasOwn(partner.parameters, name)) return 'name';
    return isAlike(name, call, partner) ? undefined : 'value';
  });
  if (call.minCount === 1) return pieces;
  const isTooSeldom = isMarked && found > 0 && found < call.minCount;
  const often = oftenWords(call.minCount, call.promptIndex);
  return [...pieces, { text: often, isDifferent: isTooSeldom }];
}

function madeLine(call: Call, partner: Call | undefined, isExtra: boolean): CallLine {
  const pieces = line(call, isExtra, (name) => {
    if (partner === undefined) return undefined;
    if (Object.hasOwn(partner.parameters, name)) {
      return isAlike(name, partner, call) ? undefined : 'value';
    }
    return partner.matching === 'exact' ? 'name' : undefined;
  });
  return call.notMade === undefined ? pieces : [...pieces, same(notMadeWords)];
}

function isAlike(name: string, wanted: Call, made: Call): boolean {
  const only = ({ parameters }: Call) => ({ [name]: parameters[name] });
  return argumentsMatch(only(wanted), only(made), wanted.matching);
}

type Difference = 'name' | 'value' | undefined;

function line(call: Call, isNameMarked: boolean, differs: (name: string) => Difference): Piece[] {
  const pieces: Piece[] = [{ text: call.name, isDifferent: isNameMarked }, same('(')];
  for (const [index, [name, value]] of Object.entries(call.parameters).entries()) {
    if (index > 0) pieces.push(same(', '));
    const difference = differs(name);
    pieces.push({ text: name, isDifferent: difference === 'name' }, same(': '));
    pieces.push({ text: write(value), isDifferent: difference === 'value' });
  }
  return [...pieces, same(`)${turnSuffix(call.promptIndex)}`)];
}

function same(text: string): Piece {
  return { text, isDifferent: false };
}

function readCall(call: unknown, withServer = false): Call {
  const [read] = readToolCalls([call]);
  const { toolName = '', arguments: parameters = {}, serverName, notMade } = read ?? {};
  const { argumentMatching } = asRecord(call) ?? {};
  const server = withServer && serverName !== undefined ? `${serverName} / ` : '';
  return {
    name: `${server}${toolName === '' ? '(no name)' : toolName}`,
    parameters,
    notMade,
    matching: argumentMatchings.find((one) => one === argumentMatching) ?? 'partial',
    minCount: statedCount(call),
    promptIndex: statedTurn(call),
  };
}

/** The keys are sorted, because a different order of keys is no difference. */
function write(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) => {
      const fields = asRecord(inner);
      if (fields === undefined) return inner;
      return Object.fromEntries(
        Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)),
      );
    }) ?? 'undefined'
  );
}
