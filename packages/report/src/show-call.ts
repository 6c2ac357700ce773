/**
 * Writes a tool call on one line: `list_depots(city: "Lyon")`. Values under keys that look secret
 * are hidden, and long values are cut. An observed call without arguments gets empty brackets; an
 * expected one gets none, because it accepts any arguments. If an expected call names its server,
 * the server precedes every call: `Depot B / list_depots(city: "Lyon")`.
 */
import { asRecord, capText, notMadeReasons, redactValue, toolNames } from '@proofmark/domain';
import type { ScoredTrial } from './read-checks.ts';

export interface TrialCalls extends ScoredTrial {
  readonly model?: string | null | undefined;
  readonly provider?: string | null | undefined;
  readonly hasTrace?: boolean | null | undefined;
  readonly durationMs?: number | null | undefined;
  readonly expectedToolCalls: readonly unknown[];
  readonly actualToolCalls: readonly unknown[];
}

const nameLength = 60;
const valueLength = 60;
const shownArguments = 5;

export function namesServer(expected: readonly unknown[]): boolean {
  return expected.some((call) => typeof asRecord(call)?.['serverName'] === 'string');
}

export function showCall(call: unknown, side: 'expected' | 'observed', withServer = false): string {
  const fields = asRecord(call) ?? {};
  const [tool = '(no name)'] = toolNames([call]);
  const { serverName } = fields;
  const server = withServer && typeof serverName === 'string' ? `${serverName} / ` : '';
  const name = `${server}${tool}`;
  const given = [fields['arguments'], fields['args'], fields['input']].find(asRecord);
  const entries = Object.entries(asRecord(redactValue(given)) ?? {});
  const suffix =
    turnSuffix(statedTurn(call)) + (side === 'expected' ? oftenOf(call) : unmadeOf(fields));
  if (given === undefined || (entries.length === 0 && side === 'expected')) return name + suffix;
  const shown = entries
    .slice(0, shownArguments)
    .map(([key, value]) => `${capText(key, nameLength)}: ${write(value)}`);
  const unlisted = entries.length - shownArguments;
  return `${name}(${shown.join(', ')}${unlisted > 0 ? ` and ${unlisted} more` : ''})${suffix}`;
}

/** How often the call must be made (default: once). */
export function statedCount(call: unknown): number {
  const minCount = asRecord(call)?.['minCount'];
  return Number.isSafeInteger(minCount) ? Math.max(1, Number(minCount)) : 1;
}

/** If the expectation belongs to a turn, calls of earlier turns also count. */
export function oftenWords(minCount: number, promptIndex?: number): string {
  return ` (at least ${minCount} times${promptIndex === undefined ? '' : ' by then'})`;
}

export function turnSuffix(promptIndex: number | undefined): string {
  return promptIndex === undefined ? '' : ` in turn ${promptIndex + 1}`;
}

export function statedTurn(call: unknown): number | undefined {
  const promptIndex = asRecord(call)?.['promptIndex'];
  return Number.isSafeInteger(promptIndex) && Number(promptIndex) >= 0
    ? Number(promptIndex)
    : undefined;
}

/** Appended to a call that the model requested but that never reached a tool. */
export const notMadeWords = ' (asked for, not made)';

function oftenOf(call: unknown): string {
  const minCount = statedCount(call);
  return minCount === 1 ? '' : oftenWords(minCount, statedTurn(call));
}

function unmadeOf({ notMade }: Readonly<Record<string, unknown>>): string {
  return notMadeReasons.some((reason) => reason === notMade) ? notMadeWords : '';
}

function write(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  if (text.length <= valueLength) return text;
  // The closing quote is kept when text is cut, so that readers see where the next argument begins.
  return typeof value === 'string'
    ? `${capText(text, valueLength - 1)}"`
    : capText(text, valueLength);
}
