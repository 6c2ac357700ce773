import { visitBounds } from '@proofmark/domain';
import { useEffect, useRef, useState } from 'react';
import { Rating } from './rating.tsx';
import { goneWords } from './refusal-meaning.ts';
import type { Visit } from './visit.ts';
import type { VisitState } from './visit-state.ts';

export function EndedView({ visit, state }: { visit: Visit; state: VisitState }) {
  const { ended, link, sessionId } = state;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const mayRate = ended !== 'erased' && sessionId !== undefined && link && link.feedback !== 'off';
  return (
    <section className="visit-words ended" aria-labelledby="ended">
      <h2 id="ended" ref={heading} tabIndex={-1}>
        {titles[ended ?? 'ended']}
      </h2>
      {ended === 'gone' && <p>{goneWords}</p>}
      {ended === 'silent' && <p>Nothing was said for half an hour.</p>}
      {mayRate && <RateAll visit={visit} state={state} />}
      <div className="actions">
        <button type="button" className="primary" onClick={() => visit.beginAnew()}>
          Begin another conversation
        </button>
      </div>
    </section>
  );
}

const titles = {
  ended: 'This conversation has ended',
  silent: 'This conversation has ended',
  erased: 'Your conversation was deleted',
  gone: 'This conversation cannot continue',
} as const;

function RateAll({ visit, state }: { visit: Visit; state: VisitState }) {
  const [comment, setComment] = useState('');
  const [isSent, setSent] = useState(false);
  const { endRating } = state;
  const rate = async (rating: number, words: string) => {
    if (await visit.rate(undefined, rating, words.trim())) setSent(words.trim() !== '');
  };
  return (
    <>
      <p>How was it, all in all?</p>
      <Rating
        kind={state.link?.feedback ?? 'off'}
        label="Rate the conversation"
        rating={endRating}
        disabled={state.isBusy}
        onRate={(rating) => void rate(rating, comment)}
      />
      {endRating !== undefined && (
        <div className="field">
          <label htmlFor="comment">Anything to add?</label>
          <textarea
            id="comment"
            rows={3}
            maxLength={visitBounds.commentCharacters}
            value={comment}
            onChange={(event) => {
              setComment(event.target.value);
              setSent(false);
            }}
          />
          <div className="actions">
            <button
              type="button"
              disabled={comment.trim() === '' || state.isBusy}
              onClick={() => void rate(endRating, comment)}
            >
              Add comment
            </button>
            <span role="status" className="hint">
              {isSent && 'Your comment was added.'}
            </span>
          </div>
        </div>
      )}
    </>
  );
}
