/**
 * Decides a scenario of the conformance suite from its checks.
 *
 * - A failed check fails the scenario. With a baseline, a warning counts as a failure, as in the
 *   suite.
 * - An expected failure passes, and a stale entry (whose scenario or check passed) fails. Nothing is
 *   said about a check that is absent or skipped.
 * - A scenario that the requirement set does not score never fails anything.
 * - An invalid message of the suite itself says nothing about the server.
 */
import { isRecord } from '../kernel/json.ts';
import type { ExpectedFailure } from './expected-failures.ts';

export const checkStatuses = ['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO'] as const;
export type CheckStatus = (typeof checkStatuses)[number];

export interface ConformanceCheck {
  readonly id: string;
  readonly status: CheckStatus;
  readonly message?: string;
}

export const scenarioOutcomes = [
  'passed',
  'failed',
  'expected',
  'stale',
  'notScored',
  'skipped',
] as const;
export type ScenarioOutcome = (typeof scenarioOutcomes)[number];

export interface ScenarioRules {
  readonly scenario: string;
  /** Whether the requirement set counts the scenario. */
  readonly isScored: boolean;
  /** Whether the caller gave a baseline, even an empty one. */
  readonly hasBaseline: boolean;
  readonly expected?: ExpectedFailure | undefined;
}

export interface DecidedScenario {
  readonly outcome: ScenarioOutcome;
  /** Why the scenario is not as expected, or which failures were expected. */
  readonly reasons: readonly string[];
}

/** Reads the file that the suite writes for a scenario. Returns undefined if it has another shape. */
export function readChecks(written: unknown): ConformanceCheck[] | undefined {
  if (!Array.isArray(written)) return undefined;
  const checks = written.slice(0, mostChecks).filter(isRecord).map(readCheck);
  return checks.every((check) => check !== undefined) ? checks : undefined;
}

function readCheck({
  id,
  status,
  errorMessage,
}: Readonly<Record<string, unknown>>): ConformanceCheck | undefined {
  const known = checkStatuses.find((one) => one === status);
  if (typeof id !== 'string' || known === undefined) return undefined;
  const message = typeof errorMessage === 'string' ? errorMessage.slice(0, longestMessage) : '';
  return { id: id.slice(0, longestId), status: known, ...(message !== '' && { message }) };
}

const mostChecks = 500;
const longestId = 200;
const longestMessage = 2000;

export function decideScenario(
  all: readonly ConformanceCheck[],
  rules: ScenarioRules,
): DecidedScenario {
  const checks = oncePerId(all).filter(({ id }) => id !== ofSuiteItself);
  const isRed = ({ status }: ConformanceCheck) =>
    status === 'FAILURE' || (rules.hasBaseline && status === 'WARNING');
  const red = checks.filter(isRed);
  const reasons = red.map(reasonOf);
  if (!rules.isScored) return { outcome: 'notScored', reasons };
  if (!checks.some(isMeasured)) return { outcome: 'skipped', reasons: [] };
  const { expected } = rules;
  if (expected === undefined) return { outcome: red.length > 0 ? 'failed' : 'passed', reasons };
  if (expected === 'whole') {
    return red.length > 0
      ? { outcome: 'expected', reasons }
      : { outcome: 'stale', reasons: [staleSentence(rules.scenario)] };
  }
  const unexpected = red.filter(({ id }) => !expected.includes(id));
  if (unexpected.length > 0) return { outcome: 'failed', reasons: unexpected.map(reasonOf) };
  const stale = checks.filter(({ id, status }) => status === 'SUCCESS' && expected.includes(id));
  if (stale.length > 0) {
    const named = stale.map(({ id }) => staleSentence(`${rules.scenario}:${id}`));
    return { outcome: 'stale', reasons: named };
  }
  return { outcome: red.length > 0 ? 'expected' : 'passed', reasons };
}

/** A check of the messages that the suite sent, not of those that the server sent. */
const ofSuiteItself = 'wire-schema-harness-error';

/** A check that is repeated counts once, as its worst result. */
function oncePerId(checks: readonly ConformanceCheck[]): ConformanceCheck[] {
  const worst = new Map<string, ConformanceCheck>();
  for (const check of checks) {
    const known = worst.get(check.id);
    if (known === undefined || gravity[check.status] > gravity[known.status]) {
      worst.set(check.id, check);
    }
  }
  return [...worst.values()];
}

const gravity: Readonly<Record<CheckStatus, number>> = {
  FAILURE: 4,
  WARNING: 3,
  SUCCESS: 2,
  SKIPPED: 1,
  INFO: 0,
};

function isMeasured({ status }: ConformanceCheck): boolean {
  return status === 'SUCCESS' || status === 'FAILURE' || status === 'WARNING';
}

function reasonOf({ id, message }: ConformanceCheck): string {
  return message === undefined ? id : `${id}: ${message}`;
}

function staleSentence(entry: string): string {
  return `${entry}: it is expected to fail and it passed; remove the entry.`;
}
