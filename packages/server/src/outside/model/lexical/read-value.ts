import type { Finding, FindingKind } from './findings.ts';
import type { Parameter } from './parameters.ts';
import { wordsOf } from './words.ts';

/** Returns the kinds of value that suit a parameter, best first. */
export function kindsFor(parameter: Parameter): readonly FindingKind[] {
  if (parameter.choices.length > 0) return [];
  switch (parameter.type) {
    case 'number':
    case 'integer':
      return ['number'];
    case 'string':
      return textKinds(parameter);
    case 'array':
      return parameter.item === undefined ? [] : kindsFor(parameter.item);
    case 'unknown':
      return ['quoted', 'name', 'identifier', 'number'];
    default:
      return [];
  }
}

/**
 * Returns whether the parameter accepts any text, so that the rest of a request may be its value.
 */
export function takesFreeText(parameter: Parameter): boolean {
  const kinds = kindsFor(parameter);
  return parameter.type === 'string' && (kinds[0] === 'quoted' || kinds[0] === 'name');
}

/**
 * Returns whether values of this kind are recognized by their form alone, as a date is. Such values
 * may also fill optional parameters.
 */
export function isTelling(kind: FindingKind): boolean {
  return kind === 'date' || kind === 'email' || kind === 'url';
}

export function valueOfFinding(parameter: Parameter, { value }: Finding): unknown {
  const { type } = parameter;
  if (type === 'string') return String(value);
  if (type === 'integer') return Number.isSafeInteger(value) ? value : undefined;
  return value;
}

/** Returns the value for text that the request assigns to this parameter, as in `limit: 5`. */
export function valueOfText(parameter: Parameter, text: string): unknown {
  if (parameter.choices.length > 0) {
    const wanted = text.toLowerCase();
    return parameter.choices.find((choice) => String(choice).toLowerCase() === wanted);
  }
  switch (parameter.type) {
    case 'string':
    case 'unknown':
      return text;
    case 'number':
    case 'integer': {
      const number = /^-?\d{1,15}(\.\d{1,12})?$/.test(text) ? Number(text) : undefined;
      return parameter.type === 'integer' && !Number.isInteger(number) ? undefined : number;
    }
    case 'boolean':
      if (/^(true|yes|on)$/i.test(text)) return true;
      return /^(false|no|off)$/i.test(text) ? false : undefined;
    case 'array':
      return valuesOfText(parameter.item, text);
    default:
      return undefined;
  }
}

function valuesOfText(item: Parameter | undefined, text: string): unknown[] | undefined {
  if (item === undefined || item.type === 'array') return undefined;
  const values = text
    .split(/,| and /)
    .slice(0, 100)
    .map((piece) => valueOfText(item, piece.trim().replace(/^["'`]|["'`.]$/g, '')))
    .filter((value) => value !== undefined && value !== '');
  return values.length === 0 ? undefined : values;
}

function textKinds(parameter: Parameter): readonly FindingKind[] {
  const words = wordsOf(parameter.name, 12).map(({ plain }) => plain);
  const has = (...names: string[]) => names.some((name) => words.includes(name));
  if (parameter.format.startsWith('date') || has('date', 'day', 'since', 'until')) return ['date'];
  if (parameter.format === 'time' || has('time', 'hour')) return ['time', 'date', 'quoted'];
  if (parameter.format === 'email' || has('email', 'mail')) return ['email'];
  if (/^(uri|url)/.test(parameter.format) || has('url', 'uri', 'link')) return ['url'];
  if (has('pattern', 'glob')) return ['glob', 'quoted', 'path', 'name', 'identifier'];
  if (isPath(parameter, has)) return ['path', 'quoted', 'name', 'identifier'];
  if (has('name', 'names') || /\bname of\b/i.test(parameter.description))
    return ['name', 'identifier', 'quoted'];
  if (has('id', 'key', 'code', 'sku', 'number', 'reference')) {
    return ['identifier', 'quoted', 'number', 'name'];
  }
  return ['quoted', 'name', 'identifier', 'email', 'url', 'path'];
}

function isPath({ description }: Parameter, has: (...names: string[]) => boolean): boolean {
  if (has('path', 'paths', 'file', 'files', 'filename', 'directory', 'dir', 'folder')) return true;
  if (has('source', 'destination') && description === '') return true;
  return (
    /\b(file|directory|folder)( name|s)?\b|\bpaths?\b/i.test(description) &&
    has('name', 'source', 'destination', 'target', 'root')
  );
}
