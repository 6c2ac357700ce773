import type { Visit } from './visit.ts';
import type { RedeemedLink } from './visit-calls.ts';

export function NoticeView(props: { visit: Visit; link: RedeemedLink; busy: boolean }) {
  const { description, welcome, notice, servers, requireToolApproval } = props.link;
  return (
    <section className="visit-words" aria-labelledby="before">
      {description !== null && description !== '' && <p className="as-written">{description}</p>}
      {welcome !== null && welcome !== '' && <p className="as-written">{welcome}</p>}
      <h2 id="before">Before you begin</h2>
      {notice.text.split('\n\n').map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {servers.length > 0 && (
        <p>
          This assistant can use tools of{' '}
          {servers.map(({ name }, at) => (
            <span key={name}>
              {at > 0 && ', '}
              <bdi>{name}</bdi>
            </span>
          ))}
          . {requireToolApproval ? 'You are asked before each use.' : 'Each use is shown to you.'}
        </p>
      )}
      <div className="actions">
        <button
          type="button"
          className="primary"
          disabled={props.busy}
          onClick={() => void props.visit.accept()}
        >
          Accept
        </button>
      </div>
    </section>
  );
}
