/**
 * Fills the templates of a case from a row. A text that is a single template keeps the type of the
 * row's value if the field allows that type; otherwise the value becomes text. A text value, such
 * as one from a CSV file, becomes a number, true or false only if the field does not allow text.
 * null never becomes text: a row with null for a text field is rejected.
 */
import { type ArgumentMatching, isTypeWord } from '../assertions/argument-matching.ts';
import { checkValue } from '../kernel/check-value.ts';
import { type CaseData, columnsOf, type DataRow, keyOfRow } from './case-data.ts';
import { EvalCaseDefinition } from './eval-case.ts';
import { isTemplate, readTemplate, type TemplatePart, textOfValue } from './template-text.ts';

export type DataCase = EvalCaseDefinition & { readonly data: CaseData };

export function hasData(definition: EvalCaseDefinition): definition is DataCase {
  return definition.data !== undefined;
}

export interface FillProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const sameForAll: ReadonlySet<string> = new Set([
  'title',
  'declaredId',
  'data',
  'models',
  'import',
]);

/** The largest length that any field allows, in characters; longer texts are not built. */
const longestText = 100_000;

interface Place {
  readonly path: readonly (string | number)[];
  readonly parts: readonly TemplatePart[];
}

export interface CaseTemplate {
  readonly definition: DataCase;
  readonly places: readonly Place[];
}

/** Rejects a malformed template, and a template whose name is no column. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one walk over the case; the first text that is no template of these rows ends it.
export function templateOf(
  definition: DataCase,
): { readonly template: CaseTemplate } | { readonly problem: FillProblem } {
  const columns = new Set(columnsOf(definition.data.rows));
  const places: Place[] = [];
  const open: Place['path'][] = Object.keys(definition)
    .filter((field) => !sameForAll.has(field))
    .map((field) => [field])
    .reverse();
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const value = valueAt(definition, path);
    if (typeof value === 'object' && value !== null) {
      const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
      for (const key of keys.reverse()) open.push([...path, key]);
    }
    if (typeof value !== 'string' || !isTemplate(value)) continue;
    const read = readTemplate(value);
    if ('problem' in read) return { problem: { path, message: read.problem } };
    const unknown = read.parts.find((part) => typeof part !== 'string' && !columns.has(part.name));
    if (unknown !== undefined) {
      const { name } = unknown as { name: string };
      return { problem: { path, message: unknownName(name, [...columns]) } };
    }
    places.push({ path, parts: read.parts });
  }
  return { template: { definition, places } };
}

function unknownName(name: string, columns: readonly string[]): string {
  const shownColumns = columns.slice(0, 10).join(', ');
  const more = columns.length > 10 ? ', …' : '';
  return `The rows have no column ${JSON.stringify(name.slice(0, 100))}; their columns are ${shownColumns}${more}. For a literal {{ write \\{{.`;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: values are converted until the case fits; what each round may still change depends on all rounds before.
export function fillCase(
  { definition, places }: CaseTemplate,
  row: DataRow,
): { readonly definition: EvalCaseDefinition } | { readonly problem: FillProblem } {
  const key = keyOfRow(row, definition.data.key) ?? '';
  const { data: _rows, declaredId: _id, ...base } = definition;
  const values = new Map<Place, unknown>();
  for (const place of places) {
    const filled = fillPlace(place, row);
    if ('problem' in filled) return { problem: inRow(key, filled.problem) };
    values.set(place, filled.value);
  }
  let first: FillProblem | undefined;
  const converted = new Set<Place>();
  for (;;) {
    const checked = checkValue(EvalCaseDefinition, withValues(base, values));
    if ('value' in checked) {
      const [problem] = places.flatMap(
        (place) => unmeantValue(place, values.get(place), checked.value) ?? [],
      );
      return problem === undefined
        ? { definition: checked.value }
        : { problem: inRow(key, problem) };
    }
    first ??= checked.problems[0];
    const toConvert = places.flatMap((place) => {
      if (converted.has(place)) return [];
      const other = otherForm(place, values.get(place), checked.problems);
      return other === undefined ? [] : [{ place, ...other }];
    });
    if (toConvert.length === 0) return { problem: inRow(key, first) };
    const absent = toConvert.find(({ place }) => values.get(place) === null)?.place;
    if (absent !== undefined) return { problem: inRow(key, nullProblem(absent)) };
    // If every conversion is to a number or a boolean, the problem so far was only the wrong type.
    // A later problem is more specific, so it is reported instead.
    if (toConvert.every(({ value }) => typeof value !== 'string')) first = undefined;
    for (const { place, value } of toConvert) {
      values.set(place, value);
      converted.add(place);
    }
  }
}

function otherForm(
  { path, parts }: Place,
  value: unknown,
  problems: readonly FillProblem[],
): { readonly value: unknown } | undefined {
  if (typeof value !== 'string') {
    return problems.some((problem) => isAt(path, problem.path))
      ? { value: textOfValue(value) }
      : undefined;
  }
  const isAlone = parts.length === 1 && typeof parts[0] !== 'string';
  const isMeant = problems.some(
    (problem) => problem.path.length === path.length && isAt(path, problem.path),
  );
  return isAlone && isMeant ? spelledValue(value) : undefined;
}

function spelledValue(text: string): { readonly value: number | boolean } | undefined {
  const trimmed = text.trim();
  if (trimmed === 'true' || trimmed === 'false') return { value: trimmed === 'true' };
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed);
  return isNumber && Number.isFinite(Number(trimmed)) ? { value: Number(trimmed) } : undefined;
}

function fillPlace(
  { path, parts }: Place,
  row: DataRow,
): { readonly value: unknown } | { readonly problem: FillProblem } {
  const [only, ...others] = parts;
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else if (!Object.hasOwn(row, part.name)) {
      const message = `The row has no value for the column ${JSON.stringify(part.name)}.`;
      return { problem: { path, message } };
    } else if (typeof only === 'object' && others.length === 0) return { value: row[part.name] };
    else if (row[part.name] === null) return { problem: nullProblem({ path, parts: [part] }) };
    else text += textOfValue(row[part.name]);
    if (text.length > longestText) {
      const message = `With the values of the row, the text has more than ${longestText.toLocaleString('en-US')} characters.`;
      return { problem: { path, message } };
    }
  }
  return { value: text };
}

function nullProblem({ path, parts }: Place): FillProblem {
  const name = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.name]))[0] ?? '';
  const message = `The column ${JSON.stringify(name)} is null, but a text is needed; write "" for an empty text.`;
  return { path, message };
}

/**
 * Rejects values that the schema allows but that are surely a mistake: a blank prompt, and a type
 * name that would match any value.
 */
function unmeantValue(
  { path }: Place,
  value: unknown,
  filled: EvalCaseDefinition,
): FillProblem | undefined {
  if (path.at(-1) === 'prompt' && path.length === 3 && String(value).trim() === '') {
    return { path, message: 'The prompt is blank.' };
  }
  if (!isTypeWord(value) || path.at(-2) !== 'args' || path.at(-3) !== 'args') return undefined;
  // A nested argument may itself be named `args`, so the type of the assertion is checked, too.
  const { type, args } = valueAt(filled, path.slice(0, -3)) as {
    type?: string;
    args: { argumentMatching?: ArgumentMatching };
  };
  if (type !== 'toolCalledWith') return undefined;
  if (args.argumentMatching !== undefined && args.argumentMatching !== 'partial') return undefined;
  return {
    path,
    message: `${JSON.stringify(value)} is the name of a type and matches every value of it; write argumentMatching: exact beside args to match the word itself.`,
  };
}

function inRow(key: string, { path, message }: FillProblem): FillProblem {
  return { path, message: `In the row ${JSON.stringify(key)}: ${message}` };
}

/**
 * Returns whether the value at this place causes the problem. The problem is reported there, or at
 * a parent if the value fits none of several alternatives.
 */
function isAt(place: Place['path'], problem: FillProblem['path']): boolean {
  return problem.length <= place.length && problem.every((step, at) => step === place[at]);
}

export function valueAt(root: unknown, path: Place['path']): unknown {
  let value = root;
  for (const step of path) value = (value as Record<string | number, unknown>)[step];
  return value;
}

/** Only objects on the paths to the values are copied. */
function withValues(base: object, values: ReadonlyMap<Place, unknown>): object {
  const root = { ...base } as Record<string | number, unknown>;
  const copies = new Set<unknown>([root]);
  for (const [{ path }, value] of values) {
    let around = root;
    for (const step of path.slice(0, -1)) {
      let inner = around[step] as object;
      if (!copies.has(inner)) {
        inner = Array.isArray(inner) ? [...inner] : { ...inner };
        copies.add(inner);
        around[step] = inner;
      }
      around = inner as Record<string | number, unknown>;
    }
    around[path.at(-1) as string | number] = value;
  }
  return root;
}

/**
 * Returns the case with its first row filled in, as an example. Returns the case unchanged if that
 * is not possible.
 */
export function exampleOf(definition: EvalCaseDefinition): EvalCaseDefinition {
  if (!hasData(definition)) return definition;
  const [row] = definition.data.rows;
  const read = templateOf(definition);
  if (row === undefined || 'problem' in read) return definition;
  const filled = fillCase(read.template, row);
  return 'problem' in filled ? definition : { ...filled.definition, title: definition.title };
}
