/**
 * Sentences about the quarantine (cases that may fail for a time) at the gate of a run: failed case
 * variants that were let through, and stale entries. A stale entry fails the gate until it is
 * deleted.
 */
import {
  count,
  type DecisionSummary,
  type GateWord,
  likelyMeant,
  type QuarantineAtGate,
  type QuarantineEntry,
  type QuarantineState,
  quote,
  quoteSentence,
  type Sentence,
  say,
  theirs,
} from '@proofmark/domain';
import { variantName } from './report-cases.ts';

export interface QuarantineToRender extends QuarantineAtGate {
  readonly word: GateWord;
  /** The cases of the run, to suggest one for an entry whose case is misspelt. */
  readonly caseIds?: readonly string[];
  placeOf?(entry: QuarantineEntry): string | undefined;
}

/** Returns undefined if the quarantine did not decide the gate. */
export function quarantineHead(
  summary: DecisionSummary,
  { word, letThrough, stale }: QuarantineToRender,
): Sentence | undefined {
  if (summary.verdictSource !== 'policyV2') return undefined;
  const { total, passed } = summary.counts;
  const isFanned = summary.decision.cases.some(({ executionVariant }) => executionVariant);
  const of = `of ${count(total, isFanned ? 'case variant' : 'case')}`;
  if (word === 'QUARANTINED')
    return say`QUARANTINED: ${letThrough.length} ${of} failed, and ${areIn(letThrough.length)} in quarantine`;
  if (word !== 'FAILED' || summary.verdict !== 'passed' || stale.length === 0) return undefined;
  return say`FAILED: ${staleEntries(stale.length)} in the quarantine; ${passed} ${of} passed`;
}

export function quarantineSentences(quarantine: QuarantineToRender | undefined): Sentence[] {
  if (quarantine === undefined) return [];
  return [
    ...quarantine.letThrough.map((one) => failedSentence(one, quarantine.word)),
    ...quarantine.stale.map((entry) => staleSentence(entry, quarantine)),
  ];
}

/** Why JUnit counts a failed case variant as skipped; undefined if it counts as failed. */
export function whyQuarantined(
  quarantine: QuarantineToRender | undefined,
  row: QuarantineToRender['letThrough'][number]['variant'],
): Sentence | undefined {
  const found = quarantine?.letThrough.find(({ variant }) => variant === row);
  if (found === undefined) return undefined;
  const { owner, daysLeft, reason } = found.entry;
  return say`In quarantine for ${theirs(owner)}, ${daysLeftText(daysLeft)} left: ${quoteSentence(reason)}`;
}

/** If the gate fails for another reason, the quarantine lets no failure through. */
function failedSentence(
  { entry, variant }: QuarantineToRender['letThrough'][number],
  word: GateWord,
): Sentence {
  const { owner, daysLeft, reason } = entry;
  const failed =
    word === 'QUARANTINED'
      ? 'failed, but its quarantine lets it through'
      : 'failed and is in quarantine';
  return say`${nameOf(entry)}${variantName(variant)} ${failed} (owner: ${theirs(owner)}, ${daysLeftText(daysLeft)} left). Reason: ${quoteSentence(reason)}`;
}

function areIn(failed: number): string {
  if (failed === 1) return 'it is';
  return failed === 2 ? 'both are' : 'all of them are';
}

export function staleSentence(
  entry: QuarantineEntry,
  { placeOf, caseIds = [] }: Pick<QuarantineToRender, 'placeOf' | 'caseIds'> = {},
): Sentence {
  const canCorrect = entry.state === 'gone' && entry.source === 'file';
  const remedy = canCorrect ? 'Correct or delete' : 'Delete';
  return say`${whyStale(entry, caseIds)} ${remedy} ${whereOf(entry, placeOf?.(entry))}.`;
}

type Stale = Exclude<QuarantineState, 'inForce'>;

function whyStale(entry: QuarantineEntry, caseIds: readonly string[]): Sentence {
  const name = nameOf(entry);
  const sentences: Readonly<Record<Stale, Sentence>> = {
    expired: say`The quarantine of ${name} ended on ${new Date(entry.expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
    gone: goneSentence(entry, caseIds),
    steady: say`The last 59 graded trials of ${name}, which is in quarantine, passed.`,
  };
  return entry.state === 'inForce' ? [] : sentences[entry.state];
}

function goneSentence({ caseId }: QuarantineEntry, caseIds: readonly string[]): Sentence {
  const meant = likelyMeant(caseId, caseIds);
  const guess = meant === undefined ? say`.` : say`; did you mean ${quote(meant)}?`;
  return say`The suite has no case ${quote(caseId)}${guess}`;
}

function whereOf({ id, caseId, source }: QuarantineEntry, place: string | undefined): Sentence {
  if (source === 'api') return say`the entry ${theirs(id)} on the page of the suite`;
  const line = say`${quote(`- case: ${caseId}`)} below quarantine`;
  return place === undefined
    ? say`the entry ${line} in the suite file`
    : say`the entry ${line} at ${theirs(place)}`;
}

function nameOf({ title, caseId, model, state }: QuarantineEntry): Sentence {
  const name = title === null || title === caseId ? quote(caseId) : quote(title);
  // For an entry in force, the caller appends the failed variant, so the model is not named twice.
  return state === 'inForce' || model === null ? say`${name}` : say`${name} on ${theirs(model)}`;
}

function staleEntries(amount: number): string {
  return amount === 1 ? '1 entry is stale' : `${amount} entries are stale`;
}

export function daysLeftText(days: number): string {
  return count(days, 'day');
}
