import { isRecord } from '@proofmark/domain';
import { type Change, type IsSet, jsonChanges, type Path } from './json-changes.ts';

export interface ChangeWords {
  readonly label: string;
  /**
   * The old value as text. `before` is absent for an item added to a set, `after` for a removed
   * item.
   */
  readonly before?: string;
  readonly after?: string;
  /**
   * Whether a value has several lines or more than 60 characters. Such values are compared line by
   * line.
   */
  readonly isLong: boolean;
}

export interface Vocabulary {
  /**
   * Labels by path with dots. A change inside a labelled path gets that label, followed by the rest
   * of the change's path.
   */
  readonly labels: Readonly<Record<string, string>>;
  readonly absent: string;
  nameOf(path: Path, id: string): string | undefined;
}

/**
 * Splits the addition or removal of an object into changes of its fields, because only fields have
 * labels.
 */
export function unfolded(changes: readonly Change[], isSet?: IsSet): Change[] {
  return changes.flatMap((change) => {
    const { path, before, after } = change;
    const held = before ?? after;
    const isWhole = before === undefined || after === undefined;
    if (!isWhole || !isRecord(held) || Object.keys(held).length === 0) return [change];
    return unfolded(jsonChanges(before ?? {}, after ?? {}, isSet, path), isSet);
  });
}

export function changeWords(change: Change, vocabulary: Vocabulary): ChangeWords {
  if (change.isItem) return itemWords(change, vocabulary);
  const before = valueWords(change.path, change.before, vocabulary);
  const after = valueWords(change.path, change.after, vocabulary);
  return {
    label: labelOf(change.path, vocabulary),
    before,
    after,
    isLong: [before, after].some((text) => text.includes('\n') || text.length > 60),
  };
}

export function labelOf(path: Path, { labels }: Vocabulary): string {
  for (let length = path.length; length > 0; length--) {
    const label = labels[path.slice(0, length).join('.')];
    if (label !== undefined) return [label, ...path.slice(length)].join(' › ');
  }
  return path.join(' › ');
}

function itemWords(change: Change, vocabulary: Vocabulary): ChangeWords {
  const set = change.path.slice(0, -1);
  const id = change.path.at(-1) as string;
  const name = vocabulary.nameOf(set, id) ?? id;
  const side = change.after === undefined ? { before: name } : { after: name };
  return { label: labelOf(set, vocabulary), ...side, isLong: false };
}

function valueWords(path: Path, value: unknown, { nameOf, absent }: Vocabulary): string {
  if (value === undefined || value === null) return absent;
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (value === '') return 'an empty text';
  if (typeof value === 'string') return nameOf(path, value) ?? value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.map((id: string) => nameOf(path, id) ?? id).join(', ') || 'none';
  }
  if (isRecord(value) && Object.keys(value).length === 0) return '{}';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}
