/**
 * The shared state of a case's fields: the value, its visible problems, and the functions that
 * change it.
 */
import type { ValueProblem } from '@proofmark/domain';
import { useState } from 'react';
import { type ArgumentProblems, pathKey } from '../../../kit/arguments/argument-problems.ts';
import { type ArgumentPath, withValue } from '../../../kit/arguments/argument-values.ts';
import { type JsonDraft, startDraft, withForm } from '../../../kit/changes/json-draft.ts';
import type { FieldProblems } from '../../../kit/data/field-problems.ts';
import { pathOf, problemsByName, shownProblems, untouched } from './case-draft.ts';
import { inLabels } from './problem-words.ts';

export interface NamedServer {
  readonly id: string;
  readonly name: string;
}

export interface CaseForm {
  readonly projectId: string;
  /** The suite's servers. */
  readonly servers: readonly NamedServer[];
  readonly isContract: boolean;
  readonly draft: JsonDraft;
  readonly problems: FieldProblems;
  readonly problemsByKey: ArgumentProblems;
  change(path: ArgumentPath, next: unknown): void;
  /** Adds, removes or moves rows. Problems inside `fresh` stay hidden until it is touched. */
  arrange(path: ArgumentPath, next: unknown, fresh?: ArgumentPath): void;
  /** Called when the draft changed at this path, or as a whole. */
  set(draft: JsonDraft, path?: ArgumentPath): void;
}

/**
 * Checks a draft at every change. `problemsOf` returns all problems of a value; `told` holds the
 * problems that the service returned for the last request.
 */
export function useCheckedDraft(
  start: JsonDraft['value'],
  problemsOf: (value: JsonDraft['value']) => readonly ValueProblem[],
  told: FieldProblems,
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
    problems: { ...told, ...problemsByName(shown) } as FieldProblems,
    problemsByKey: new Map([
      ...Object.entries(told).map(([name, message]) => [pathKey(pathOf(name)), message] as const),
      // If a field has several problems, the first one is shown.
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
