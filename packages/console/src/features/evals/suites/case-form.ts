import type { ValueProblem } from '@proofmark/domain';
import { useState } from 'react';
import { type ArgumentProblems, pathKey } from '../../../kit/arguments/argument-problems.ts';
import { type ArgumentPath, withValue } from '../../../kit/arguments/argument-values.ts';
import { type JsonDraft, startDraft, withForm } from '../../../kit/changes/json-draft.ts';
import type { FieldProblems } from '../../../kit/data/field-problems.ts';
import { pathOf, problemsByName, shownProblems, untouched } from './case-draft.ts';
import type { Listed } from './listed-fields.ts';
import { inLabels } from './problem-words.ts';

export interface NamedServer {
  readonly id: string;
  readonly name: string;
}

export interface CaseForm {
  readonly projectId: string;
  readonly servers: readonly NamedServer[];
  readonly listed: Listed;
  readonly isContract: boolean;
  readonly draft: JsonDraft;
  readonly problems: FieldProblems;
  readonly problemsByKey: ArgumentProblems;
  change(path: ArgumentPath, next: unknown): void;
  /**
   * Sets a list with added, removed or moved rows. `fresh` is the path of a new row; its problems
   * stay hidden until it is touched.
   */
  arrange(path: ArgumentPath, next: unknown, fresh?: ArgumentPath): void;
  /** Replaces the draft. `path` is the changed place (default: the whole draft). */
  set(draft: JsonDraft, path?: ArgumentPath): void;
}

/**
 * Checks a draft at every change. `problemsOf` returns all problems of a value; `told` contains the
 * problems in the service's last response.
 */
export function useCheckedDraft(
  start: JsonDraft['value'],
  problemsOf: (value: JsonDraft['value']) => readonly ValueProblem[],
  saveProblems: FieldProblems,
  tidy = (value: JsonDraft['value']) => value,
  onTyped?: () => void,
) {
  const [draft, setDraft] = useState(() => startDraft(start));
  const [touched, setTouched] = useState<ReadonlySet<string> | 'all'>(new Set<string>());
  const found = problemsOf(draft.value);
  const shown = shownProblems(found, touched).map(inLabels);
  const set = (next: JsonDraft, path: ArgumentPath = []) => {
    onTyped?.();
    setDraft({ ...next, value: tidy(next.value) });
    const name = path.join('.');
    if (name !== '') setTouched((all) => (all === 'all' ? all : new Set([...all, name])));
  };
  return {
    draft,
    found,
    problems: { ...saveProblems, ...problemsByName(shown) } as FieldProblems,
    problemsByKey: new Map([
      ...Object.entries(saveProblems).map(
        ([name, message]) => [pathKey(pathOf(name)), message] as const,
      ),
      // A map keeps the last entry of a key. The list is reversed, so that the first problem of
      // each field is shown.
      ...[...shown].reverse().map(({ path, message }) => [pathKey(path), message] as const),
    ]) as ArgumentProblems,
    set,
    change: (path: ArgumentPath, next: unknown) =>
      set(withForm(draft, withValue(draft.value, path, next), path), path),
    arrange: (path: ArgumentPath, next: unknown, fresh = path) => {
      set(withForm(draft, withValue(draft.value, path, next), path));
      setTouched((all) => untouched(all, fresh));
    },
    showAll: () => setTouched('all'),
  };
}
