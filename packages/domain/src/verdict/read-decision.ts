/**
 * A stored decision is shown only if it validates: it matches the schema, and deciding the run
 * again from the stored counts of each case gives the same decision. An invalid decision is neither
 * repaired nor shown in part. The check cannot detect changed names, or changed thresholds that do
 * not alter the outcome.
 */
import { tallyOfCase } from './case-tally.ts';
import { decideTallies } from './decide-run.ts';
import { Decision } from './decision.ts';

export function readDecision(stored: unknown): Decision | undefined {
  const parsed = Decision.safeParse(stored);
  if (!parsed.success) return undefined;
  const tallies = parsed.data.cases.map(tallyOfCase);
  if (!tallies.every((tally) => tally !== undefined)) return undefined;
  const decided = decideTallies(parsed.data.validity.policy, tallies);
  if ('integrityError' in decided) return undefined;
  return isSame(decided.decision, parsed.data) ? decided.decision : undefined;
}

/** Compares JSON values, ignoring the order of keys. */
function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  if (left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every(
      (name) =>
        Object.hasOwn(right, name) &&
        isSame((left as Record<string, unknown>)[name], (right as Record<string, unknown>)[name]),
    )
  );
}
