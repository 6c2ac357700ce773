/** The steps of the case, each with its result. */
import type { TraceStep } from '@proofmark/domain';
import { PictureButton, type SeenAfterStep } from '../../widgets/index.ts';

export function TraceSteps(props: {
  steps: readonly TraceStep[];
  /** Pictures of widgets by the step before them. */
  seen?: ReadonlyMap<string, SeenAfterStep>;
}) {
  const { steps, seen = new Map<string, SeenAfterStep>() } = props;
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
            {seen.size > 0 && <th scope="col">What was seen</th>}
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
              {seen.size > 0 && <SeenCell seen={seen.get(id)} />}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SeenCell({ seen }: { seen: SeenAfterStep | undefined }) {
  return <td data-label="What was seen">{seen !== undefined && <PictureButton {...seen} />}</td>;
}

const tones: Readonly<Record<string, string>> = {
  passed: 'pass',
  ok: 'pass',
  failed: 'fail',
  fail: 'fail',
};
