/**
 * Imports a file over an existing suite. Cases are matched by id, and settings that a file cannot
 * express stay. Only differences between the file and an export of the suite are applied, so
 * importing an unchanged export changes nothing.
 *
 * - The model of a case in the file becomes its first model; its other models stay.
 * - A case without an assertion list inherits the suite's assertions; with an empty list it has
 *   none.
 * - Without an environment in the file, the attached ones stay; a named one replaces the first.
 * - A server name means the saved server it was bound to before, even if that server was renamed.
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
  /** The cases in the order of the file. */
  readonly cases: readonly {
    /** The existing case that is replaced; undefined for a new case. */
    readonly before: Case | undefined;
    readonly definition: EvalCaseDefinition;
  }[];
}

export function replaceByFile<Case extends CaseBefore>(
  before: SuiteBefore & { readonly cases: readonly Case[] },
  file: SuiteFile,
): ReplacedSuite<Case> {
  const fromFile = suiteFromFile(file);
  const was = suiteFromFile(spellSuite(before));
  const same = sameCases(before.cases, fromFile.cases);
  return {
    name: fromFile.name,
    description: fromFile.description,
    definition: replaceDefinition(before.definition, was.definition, fromFile.definition),
    cases: fromFile.cases.map((now, index) => {
      const one = same[index];
      if (one === undefined) return { before: one, definition: now };
      const wasOne = was.cases[before.cases.indexOf(one)] as EvalCaseDefinition;
      return { before: one, definition: replaceCase(one.definition, wasOne, now) };
    }),
  };
}

/**
 * Returns the saved server's id for each server name in the suite's file. Returns none if the
 * numbers of names and servers differ, since the binding is then ambiguous.
 */
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

/**
 * Finds the existing case for each case in the file: by declared id, else by the existing case's
 * own id. Each case is used once.
 */
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
  fromFile: SuiteDefinition,
): SuiteDefinition {
  const definition = withChanges(before, was, fromFile);
  const settings = withChanges<SuiteSettings>(before.settings, was.settings, fromFile.settings);
  if (isSame(was.file, fromFile.file)) return { ...definition, settings };
  const first = { schemaVersion: fromFile.file?.schemaVersion ?? '1', ...before.file } as const;
  return { ...definition, settings, file: withChanges(first, was.file ?? {}, fromFile.file ?? {}) };
}

function replaceCase(
  before: EvalCaseDefinition,
  was: EvalCaseDefinition,
  fromFile: EvalCaseDefinition,
): EvalCaseDefinition {
  const changed = withChanges(before, was, fromFile);
  const [model] = fromFile.models ?? [];
  if (model !== undefined && !isSame(was.models, fromFile.models)) {
    changed.models = withFirst(model, before.models ?? []);
  }
  const isInherited = before.checks === undefined || before.checks.mode === 'inherit';
  if (fromFile.checks === undefined && isInherited && before.checks !== undefined) {
    changed.checks = before.checks;
  }
  return changed;
}

/**
 * Moves a model to the front. If the model is already listed, its entry is used, so that its
 * provider stays.
 */
function withFirst(model: ModelChoice, before: readonly ModelChoice[]): ModelChoice[] {
  const others = before.slice(1);
  const known = others.find((one) => one.model === model.model);
  return [known ?? model, ...others.filter((one) => one !== known)];
}

/** Applies every field in which the file (`said`) differs from the export of the suite (`was`). */
function withChanges<Fields extends object>(
  before: Fields,
  was: Partial<Fields>,
  fromFile: Partial<Fields>,
): Fields {
  const changed = { ...before };
  const fields = new Set([...Object.keys(was), ...Object.keys(fromFile)]) as Set<keyof Fields>;
  for (const field of fields) {
    if (isSame(was[field], fromFile[field])) continue;
    if (fromFile[field] === undefined) delete changed[field];
    else changed[field] = fromFile[field] as Fields[keyof Fields];
  }
  return changed;
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson({ is: one ?? null }) === canonicalJson({ is: other ?? null });
}
