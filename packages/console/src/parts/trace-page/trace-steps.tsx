/** The authored steps of the case and how each ended. */
import type { TraceStep } from '@proofmark/domain';

export function TraceSteps({ steps }: { steps: readonly TraceStep[] }) {
  const isSaid = steps.some(({ detail }) => detail !== undefined);
  return (
    <section aria-labelledby="steps">
      <h2 id="steps">Steps</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Kind</th>
            <th scope="col">Status</th>
            {isSaid && <th scope="col">What was said</th>}
          </tr>
        </thead>
        <tbody>
          {steps.map(({ id, kind, status, detail }) => (
            <tr key={`${kind} ${id}`}>
              <th scope="row" className="code">
                {id}
              </th>
              <td data-label="Kind">{kind}</td>
              <td data-label="Status">
                <b className={`tone-${tones[status] ?? 'none'}`}>{status}</b>
              </td>
              {isSaid && (
                <td data-label="What was said" className="foreign-text">
                  {detail ?? ''}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const tones: Readonly<Record<string, string>> = {
  passed: 'pass',
  ok: 'pass',
  failed: 'fail',
  fail: 'fail',
};
