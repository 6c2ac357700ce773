/**
 * Shows old and new values. They have different marks and words, so that no color is needed to
 * distinguish them.
 */

import { Scrolling } from '../scrolling.tsx';
import { type ChangeWords, changeWords, unfolded, type Vocabulary } from './change-words.ts';
import type { Change, Path } from './json-changes.ts';
import { lineChanges } from './line-changes.ts';

export function ChangeList(props: {
  label: string;
  changes: readonly Change[];
  vocabulary: Vocabulary;
  /** Paths that another person has changed too, with the note to show beside them. */
  marked?: { readonly paths: readonly Path[]; readonly note: string };
}) {
  const isMarked = ({ path }: Change) =>
    props.marked?.paths.some((one) => one.every((name, index) => name === path[index]));
  return (
    <ul className="changes" aria-label={props.label}>
      {unfolded(props.changes).map((change) => {
        const key = change.path.join('\n');
        const words = changeWords(change, props.vocabulary);
        return (
          <li key={key}>
            <p className="change-label">
              {words.label}
              {isMarked(change) && <span className="tag held-tag">{props.marked?.note}</span>}
            </p>
            {words.isLong ? (
              <LineChanges before={words.before ?? ''} after={words.after ?? ''} />
            ) : (
              <ShortChange words={words} absent={props.vocabulary.absent} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function ShortChange(props: { words: ChangeWords; absent: string }) {
  const { before, after } = props.words;
  if (after === undefined) {
    return (
      <p>
        <del>{before}</del> <span className="hint">taken out</span>
      </p>
    );
  }
  if (before === undefined) {
    return (
      <p>
        <ins>{after}</ins> <span className="hint">added</span>
      </p>
    );
  }
  return (
    <p>
      {before === props.absent ? <span className="hint">{before}</span> : <del>{before}</del>}
      <span className="arrow" role="img" aria-label="becomes">
        {' → '}
      </span>
      {after === props.absent ? <span className="hint">{after}</span> : <ins>{after}</ins>}
    </p>
  );
}

export function LineChanges(props: { before: string; after: string }) {
  return (
    <Scrolling label="Lines that change" className="lines">
      {lineChanges(props.before, props.after).map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat, and the list is made anew as a whole.
        <span key={index} className={`line ${kind}`}>
          <span className="mark">{marks[kind]}</span>
          {kind === 'skipped' ? `${text} not changed` : text}
        </span>
      ))}
    </Scrolling>
  );
}

const marks = { same: ' ', out: '−', in: '+', skipped: '⋯' } as const;
