/**
 * Imports a file over an existing suite. Settings that a file cannot express stay as they are in
 * the suite, and in the cases with the ids of the file. A part of the suite changes only if the
 * file differs from the export of the suite, so importing an unchanged export changes nothing.
 *
 * A file states one model of a case: the others stay behind it. A case without assertions has those
 * of the suite; with an empty list it has none. A file without an environment leaves the attached
 * ones; a named one replaces the first. A server is the one to which its name was bound before,
 * whatever its name is now.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';
import type { EvalCaseDefinition, ModelChoice } from './eval-case.ts';
import { type SuiteToWrite, spellSuite } from './file-from-suite.ts';
import type { SuiteDefinition, SuiteSettings } from './suite-definition.ts';
import type { SuiteFile } from './suite-file.ts';
import { suiteFromFile } from './suite-from-file.ts';

export interface CaseBefore {
  readonly id: string;
  readonly declaredId: string | null;
  readonly definition: EvalCaseDefinition;
}

export interface SuiteBefore extends SuiteToWrite {
  readonly cases: readonly CaseBefore[];
}

export interface ReplacedSuite<Case extends CaseBefore> {
  readonly name: string;
  readonly description: string | null;
  readonly definition: SuiteDefinition;
  /** In the order of the file. */
  readonly cases: readonly {
    /** The existing case; undefined for a new one. */
    readonly before: Case | undefined;
    readonly definition: EvalCaseDefinition;
  }[];
}

export function replaceByFile<Case extends CaseBefore>(
  before: SuiteBefore & { readonly cases: readonly Case[] },
  file: SuiteFile,
): ReplacedSuite<Case> {
  const said = suiteFromFile(file);
  const was = suiteFromFile(spellSuite(before));
  const same = sameCases(before.cases, said.cases);
  return {
    name: said.name,
    description: said.description,
    definition: replaceDefinition(before.definition, was.definition, said.definition),
    cases: said.cases.map((now, index) => {
      const one = same[index];
      if (one === undefined) return { before: one, definition: now };
      const wasOne = was.cases[before.cases.indexOf(one)] as EvalCaseDefinition;
      return { before: one, definition: replaceCase(one.definition, wasOne, now) };
    }),
  };
}

/** Returns the saved server for each name in the suite's file, if that is still unambiguous. */
export function serversBefore(suite: {
  readonly definition: SuiteDefinition;
  readonly serverIds: readonly string[];
}): ReadonlyMap<string, string> {
  const named = suite.definition.file?.servers ?? [];
  const isOneEach = named.length === suite.serverIds.length;
  return new Map(isOneEach ? named.map(({ name }, at) => [name, suite.serverIds[at] ?? '']) : []);
}

export function environmentsAfter(
  before: readonly string[],
  named: string | undefined,
): readonly string[] {
  if (named === undefined) return before;
  const others = before.includes(named) ? before.filter((id) => id !== named) : before.slice(1);
  return [named, ...others];
}

/** Finds cases by the declared id, else by their own id; each case once. */
function sameCases<Case extends CaseBefore>(
  before: readonly Case[],
  wanted: readonly EvalCaseDefinition[],
): readonly (Case | undefined)[] {
  const left = new Set(before);
  const take = (isSame: (one: Case) => boolean) => {
    const found = before.find((one) => left.has(one) && isSame(one));
    if (found !== undefined) left.delete(found);
    return found;
  };
  const declared = wanted.map(({ declaredId }) => take((one) => one.declaredId === declaredId));
  return wanted.map(({ declaredId }, at) => declared[at] ?? take((one) => one.id === declaredId));
}

function replaceDefinition(
  before: SuiteDefinition,
  was: SuiteDefinition,
  said: SuiteDefinition,
): SuiteDefinition {
  const definition = withChanges(before, was, said);
  const settings = withChanges<SuiteSettings>(before.settings, was.settings, said.settings);
  if (isSame(was.file, said.file)) return { ...definition, settings };
  const first = { schemaVersion: said.file?.schemaVersion ?? '1', ...before.file } as const;
  return { ...definition, settings, file: withChanges(first, was.file ?? {}, said.file ?? {}) };
}

function replaceCase(
  before: EvalCaseDefinition,
  was: EvalCaseDefinition,
  said: EvalCaseDefinition,
): EvalCaseDefinition {
  const changed = withChanges(before, was, said);
  const [model] = said.models ?? [];
  if (model !== undefined && !isSame(was.models, said.models)) {
    changed.models = withFirst(model, before.models ?? []);
  }
  const isInherited = before.checks === undefined || before.checks.mode === 'inherit';
  if (said.checks === undefined && isInherited && before.checks !== undefined) {
    changed.checks = before.checks;
  }
  return changed;
}

/** Keeps the provider of a model that is already listed. */
function withFirst(model: ModelChoice, before: readonly ModelChoice[]): ModelChoice[] {
  const others = before.slice(1);
  const known = others.find((one) => one.model === model.model);
  return [known ?? model, ...others.filter((one) => one !== known)];
}

/** Takes every field from the file, except those that equal the export. */
function withChanges<Fields extends object>(
  before: Fields,
  was: Partial<Fields>,
  said: Partial<Fields>,
): Fields {
  const changed = { ...before };
  const fields = new Set([...Object.keys(was), ...Object.keys(said)]) as Set<keyof Fields>;
  for (const field of fields) {
    if (isSame(was[field], said[field])) continue;
    if (said[field] === undefined) delete changed[field];
    else changed[field] = said[field] as Fields[keyof Fields];
  }
  return changed;
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson({ is: one ?? null }) === canonicalJson({ is: other ?? null });
}
