/**
 * Shown if another person has saved meanwhile: that person's changes, the user's changes, and two
 * ways to continue.
 */
import { useEffect, useRef } from 'react';
import { ChangeList } from './change-list.tsx';
import type { Vocabulary } from './change-words.ts';
import type { IsSet } from './json-changes.ts';
import { threeWay } from './three-way.ts';

export function Conflict(props: {
  what: string;
  base: unknown;
  theirs: unknown;
  mine: unknown;
  isSet: IsSet;
  vocabulary: Vocabulary;
  onTakeTheirs: () => void;
  onReapply: () => void;
}) {
  const { vocabulary } = props;
  const { theirs, mine, disputed } = threeWay(props.base, props.theirs, props.mine, props.isSet);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="panel held conflict" aria-labelledby="conflict">
      <h2 id="conflict" ref={heading} tabIndex={-1}>
        Not saved: this {props.what} was changed meanwhile
      </h2>
      <p>
        Somebody else saved it after you read it. Nothing of yours was written, and nothing is lost.
      </p>
      <div className="sides">
        <div>
          <h3>They changed</h3>
          {theirs.length === 0 ? (
            <p className="hint">Nothing that differs from what you read.</p>
          ) : (
            <ChangeList label="They changed" changes={theirs} vocabulary={vocabulary} />
          )}
        </div>
        <div>
          <h3>You changed</h3>
          <ChangeList
            label="You changed"
            changes={mine}
            vocabulary={vocabulary}
            marked={{ paths: disputed, note: 'they changed this too' }}
          />
        </div>
      </div>
      <p className="hint">
        {disputed.length === 0
          ? 'You changed different things, so both can stand.'
          : 'Where both changed the same, reapplying puts yours in place of theirs.'}
      </p>
      <div className="actions">
        <button type="button" className="primary" onClick={props.onReapply}>
          Reapply my changes on theirs
        </button>
        <button type="button" onClick={props.onTakeTheirs}>
          Take theirs, drop mine
        </button>
      </div>
    </section>
  );
}
