import type { Limit } from './refusal-meaning.ts';
import { untilWords } from './until-words.ts';
import type { Visit } from './visit.ts';

export function LimitNotice(props: { visit: Visit; limit: Limit; mayOpen: boolean }) {
  const { visit, limit, mayOpen } = props;
  return (
    <div role="status" className="warning">
      {limit.text}
      {limit.endsAt !== undefined &&
        ` It takes messages again ${untilWords(limit.endsAt, Date.now(), 'at')}.`}
      {mayOpen && (
        <div className="actions">
          <button type="button" onClick={() => void visit.open()}>
            Try again
          </button>
        </div>
      )}
    </div>
  );
}
