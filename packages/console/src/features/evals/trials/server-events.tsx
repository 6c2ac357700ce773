/** What servers said during the trial beside their answers, each at its time. */
import type { TraceEvent } from '@proofmark/domain';
import { eventDetail } from '@proofmark/domain';
import { durationWords } from '../../../kit/duration-words.ts';

export function ServerEvents(props: { events: readonly TraceEvent[]; dropped: number }) {
  const { events, dropped } = props;
  return (
    <section aria-labelledby="server-events">
      <h2 id="server-events">Said by servers</h2>
      <table className="server-events">
        <thead>
          <tr>
            <th scope="col">After</th>
            <th scope="col">Server</th>
            <th scope="col">Kind</th>
            <th scope="col">What was said</th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ atMs, serverName, kind, text, data }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: events are known by their index.
            <tr key={index}>
              <th scope="row">{durationWords(atMs)}</th>
              <td data-label="Server">
                <bdi>{serverName}</bdi>
              </td>
              <td data-label="Kind" className="unbroken">
                {kind}
                {eventDetail(kind, data)}
              </td>
              <td data-label="What was said" className="foreign-text">
                {text}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {dropped > 0 && (
        <p className="hint">{`${dropped.toLocaleString('en-US')} more came after these and were not kept.`}</p>
      )}
    </section>
  );
}
