/**
 * Presents the quarantine of a suite: each entry with its case, its state and its remaining days.
 * Both stored and in-memory suites use this code.
 */
import type { OutputOf } from '@proofmark/contract';
import {
  caseOfRow,
  decisionCaseId,
  type EvalCaseDefinition,
  isQuarantineOverfull,
  keyOfRow,
  mostQuarantined,
  quarantineDaysLeft,
  quarantineState,
  rowSuffix,
} from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { SteadyVariant } from '../../store/histories.ts';
import type { StoredQuarantineEntry } from '../../store/quarantine.ts';

export type PresentedEntry = OutputOf<'listEvalQuarantine'>['items'][number];

/** `definition` is absent for a case that is known only from uploaded reports. */
export interface CaseInQuarantine {
  readonly id: string;
  readonly caseKey: string;
  readonly declaredId: string | null;
  readonly title: string;
  readonly definition?: EvalCaseDefinition;
}

type GradedVariant = Pick<SteadyVariant, 'caseId' | 'model' | 'steady'>;

export interface QuarantinedSuite {
  readonly cases: readonly CaseInQuarantine[];
  readonly share: number | undefined;
  readonly steady: readonly GradedVariant[];
  readonly now: Date;
}

export function mostOfSuite({ cases, share }: QuarantinedSuite): number {
  return mostQuarantined(cases.length, share);
}

export function presentQuarantine(
  entries: readonly StoredQuarantineEntry[],
  suite: QuarantinedSuite,
): OutputOf<'listEvalQuarantine'> {
  return {
    items: entries.map((entry) => presentEntry(entry, suite)),
    most: mostOfSuite(suite),
  };
}

export function presentEntry(
  entry: StoredQuarantineEntry,
  { cases, steady, now }: QuarantinedSuite,
): PresentedEntry {
  const found = caseNamed(cases, entry.caseRef);
  const nowMs = now.getTime();
  const expiresAt = entry.expiresAt.getTime();
  const isSteady = found !== undefined && isSteadyOn(steady, found, entry.model);
  return {
    id: entry.id,
    caseId: entry.caseRef,
    model: entry.model,
    owner: entry.owner,
    reason: entry.reason,
    expiresAt,
    daysLeft: quarantineDaysLeft(expiresAt, nowMs),
    source: entry.source,
    state: quarantineState({ expiresAt }, { nowMs, hasCase: found !== undefined, isSteady }),
    createdAt: entry.createdAt.getTime(),
    createdByEmail: entry.createdByEmail,
    title: found?.title ?? null,
    decisionCaseIds: found === undefined ? [] : decisionCaseIdsOf(found),
  };
}

export function caseNamed<Case extends Pick<CaseInQuarantine, 'id' | 'declaredId'>>(
  cases: readonly Case[],
  caseRef: string,
): Case | undefined {
  return (
    cases.find(({ declaredId }) => declaredId === caseRef) ?? cases.find(({ id }) => id === caseRef)
  );
}

/** Whether the quarantine would contain too many cases with `wanted` added. */
export function isOverfull(
  entries: readonly StoredQuarantineEntry[],
  suite: QuarantinedSuite,
  wanted?: CaseInQuarantine,
): boolean {
  const { cases, now } = suite;
  const idOf = (caseRef: string) => caseNamed(cases, caseRef)?.id;
  const counted = [
    ...entries.map(({ caseRef, expiresAt }) => ({
      caseId: idOf(caseRef) ?? '',
      expiresAt: expiresAt.getTime(),
    })),
    ...(wanted === undefined ? [] : [{ caseId: wanted.id, expiresAt: Number.POSITIVE_INFINITY }]),
  ];
  const hasCase = (caseId: string) => caseId !== '';
  return isQuarantineOverfull(counted, {
    most: mostOfSuite(suite),
    nowMs: now.getTime(),
    hasCase,
  });
}

/** A case without graded variants has no history, so it is not steady. */
function isSteadyOn(
  steady: readonly GradedVariant[],
  { id }: CaseInQuarantine,
  model: string | null,
): boolean {
  const variants = steady.filter(
    (one) =>
      (one.caseId === id || caseOfRow(one.caseId) === id) &&
      (model === null || one.model === model),
  );
  return variants.length > 0 && variants.every((one) => one.steady);
}

/**
 * If a case has no declared id, each of its data rows has a different decision id, which does not
 * contain the case's id. So the decision ids of all rows are listed.
 */
function decisionCaseIdsOf({ id, caseKey, declaredId, definition }: CaseInQuarantine): string[] {
  const { data } = definition ?? {};
  const suffixes =
    declaredId !== null || data === undefined
      ? []
      : data.rows.map((row) => rowSuffix(id, keyOfRow(row, data.key) ?? '', sha256Hex));
  return ['', ...suffixes].map((suffix) =>
    decisionCaseId({ declaredId, caseKey: `${caseKey}${suffix}` }, sha256Hex),
  );
}
