/**
 * Recordings beside a suite file, one file per trial: `<case id>.<variant>.<n>.jsonl`. The variant
 * is the model, encoded reversibly and safely for every file system.
 */
import type { Json } from '../kernel/json.ts';
import { caseIdPattern } from '../verdict/decision.ts';
import type { TrialToMatch } from './match-recordings.ts';
import type { RecordedServer, Recording, RecordingExchange } from './recording.ts';
import { readRecordingLines } from './recording-lines.ts';

const contract = 'contract';

/** `caseId` is the case's id in the suite file. */
export function recordingFileName({ caseId, model, provider, repetition }: TrialToMatch): string {
  return `${caseId}.${variantName(model, provider)}.${repetition}.jsonl`;
}

/** Returns undefined for a name that `recordingFileName` cannot generate. */
export function readRecordingFileName(name: string): TrialToMatch | undefined {
  const [, caseId = '', variant = '', number = ''] =
    /^([^.]+)\.(.+)\.([1-9]\d{0,3})\.jsonl$/.exec(name) ?? [];
  if (!caseIdPattern.test(caseId)) return undefined;
  const trial = { caseId, ...readVariantName(variant), repetition: Number(number) };
  return recordingFileName(trial) === name ? trial : undefined;
}

function variantName(model: string | null, provider: string | null): string {
  if (model === null) return contract;
  return provider === providerNamed(model)
    ? spelled(model)
    : `${spelled(provider ?? '')}+${spelled(model)}`;
}

function readVariantName(name: string): Pick<TrialToMatch, 'model' | 'provider'> {
  if (name === contract) return { model: null, provider: null };
  const [first = '', second] = name.split('+', 2).map(unspelled);
  if (second !== undefined) return { model: second, provider: first === '' ? null : first };
  return { model: first, provider: providerNamed(first) };
}

function providerNamed(model: string): string | null {
  const slash = model.indexOf('/');
  return slash > 0 ? model.slice(0, slash) : null;
}

function spelled(text: string): string {
  return [...text]
    .map((sign) => {
      if (/^[A-Za-z0-9._-]$/.test(sign)) return sign;
      if (sign === '/') return '~';
      return encodeURIComponent(sign.toWellFormed()).replace(/^[^%]$/, hexOf);
    })
    .join('');
}

function hexOf(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}

function unspelled(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('~', '/'));
  } catch {
    return text;
  }
}

/**
 * Returns the files to remove after a suite was recorded again: files of cases that no longer
 * exist, and of repetitions that a recorded variant no longer has.
 */
export function surplusRecordingFiles(
  names: readonly string[],
  caseIds: ReadonlySet<string>,
  played: readonly TrialToMatch[],
): string[] {
  const variantsPlayed = new Set(played.map(variantOfTrial));
  const kept = new Set(played.map(recordingFileName));
  return names.filter((name) => {
    const trial = readRecordingFileName(name);
    if (trial === undefined || kept.has(name)) return false;
    return !caseIds.has(trial.caseId) || variantsPlayed.has(variantOfTrial(trial));
  });
}

interface TrialOfFile extends TrialToMatch {
  readonly recording?: Recording;
  readonly trials?: number;
}

/**
 * Splits case variants into complete and incomplete ones. A complete variant has a readable file
 * for every repetition. The number of repetitions is the highest that a file name, a file's content
 * or the request states. An incomplete variant counts as not recorded; its missing files and all
 * its trials are returned.
 */
export function wholeVariants<Trial extends TrialOfFile>(
  trials: readonly Trial[],
  askedOf: (trial: Trial) => number = () => 1,
): { readonly whole: Trial[]; readonly missing: string[]; readonly lacking: TrialToMatch[] } {
  const groups = new Map<string, Trial[]>();
  for (const trial of trials) {
    const others = groups.get(variantOfTrial(trial));
    if (others === undefined) groups.set(variantOfTrial(trial), [trial]);
    else others.push(trial);
  }
  const all = [...groups.values()].map((group) => {
    const there = new Set(group.map(({ repetition }) => repetition));
    const [first] = group as [Trial, ...Trial[]];
    const recorded = group.map((trial) => trial.trials ?? 1);
    const length = Math.max(askedOf(first), ...there, ...recorded);
    const repetitions = Array.from({ length }, (_, index) => index + 1);
    const missing = repetitions
      .filter((repetition) => !there.has(repetition))
      .map((repetition) => recordingFileName({ ...first, repetition }));
    const isWhole = missing.length === 0 && group.every(({ recording }) => recording !== undefined);
    if (isWhole) return { whole: group, missing, lacking: [] };
    const { caseId, model, provider } = first;
    const lacking = repetitions.map((repetition) => ({ caseId, model, provider, repetition }));
    return { whole: [], missing, lacking };
  });
  return {
    whole: all.flatMap(({ whole }) => whole),
    missing: all.flatMap(({ missing }) => missing),
    lacking: all.flatMap(({ lacking }) => lacking),
  };
}

function variantOfTrial(trial: TrialToMatch): string {
  return recordingFileName({ ...trial, repetition: 1 });
}

/** The HTTP API returns durations, but recording files do not contain them. */
export function withoutDurations(read: {
  readonly servers: readonly Json[];
  readonly exchanges: readonly Json[];
}): Recording {
  const servers = read.servers.map(({ connectMs: _, listMs: __, ...server }) => server);
  const exchanges = read.exchanges.map(({ durationMs: _, stillMs: __, ...exchange }) => exchange);
  return {
    schemaVersion: 1,
    servers: servers as unknown as readonly RecordedServer[],
    exchanges: exchanges as unknown as readonly RecordingExchange[],
  };
}

/**
 * Returns the fields that identify a trial within its case. Stored in the file, they reveal a file
 * that was copied over another one.
 */
export function identityOf({ model, provider, repetition }: TrialToMatch) {
  return { variant: variantName(model, provider), repetition };
}

type ReadFile = Pick<TrialOfFile, 'trials'> &
  ({ readonly recording: Recording; readonly hash: string; readonly isNamed: boolean } | Stale);

interface Stale {
  readonly stale: string;
}

export function readRecordingFile(
  text: string,
  { suite, trial }: { readonly suite: string; readonly trial: TrialToMatch },
  sha256Hex: (text: string) => string,
): ReadFile {
  const read = readRecordingLines(text, sha256Hex);
  if (read === undefined) return { stale: 'it was changed after the recording' };
  const { head, recording, hash } = read;
  const expected = { suite, case: trial.caseId, ...identityOf(trial) };
  for (const name of ['suite', 'case', 'variant', 'repetition'] as const) {
    const stated = head[name];
    if (stated === undefined || stated === expected[name]) continue;
    return { stale: `it belongs to the ${name} ${JSON.stringify(stated)}` };
  }
  const isNamed = head.variant !== undefined && head.repetition !== undefined;
  const { trials } = head;
  return { recording, hash, isNamed, ...(trials !== undefined && { trials }) };
}

/**
 * Returns the reason for each rejected file. Older files do not state their repetition, so one of
 * them may be a copy that replaced the real recording. Such a file is rejected if another
 * repetition of the variant has the same content.
 */
export function possibleCopies(
  files: readonly (TrialToMatch & { readonly hash: string; readonly isNamed: boolean })[],
): Map<string, string> {
  const refused = new Map<string, string>();
  for (const file of files) {
    if (file.isNamed) continue;
    const twin = files.find(
      (other) =>
        other !== file &&
        other.hash === file.hash &&
        variantOfTrial(other) === variantOfTrial(file),
    );
    if (twin === undefined) continue;
    const why = `it does not state its repetition and may be a copy of ${recordingFileName(twin)}; record it again`;
    refused.set(recordingFileName(file), why);
  }
  return refused;
}
