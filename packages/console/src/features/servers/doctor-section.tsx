import { ApiError } from '@proofmark/client';
import type { DoctorReport } from '@proofmark/contract';
import { widgetsSentence } from '@proofmark/domain';
import { revisionProblemText, revisionStateWords } from '@proofmark/report';
import { RawJson } from '../../kit/contents/raw-json.tsx';
import type { ServerIds } from '../../kit/data/server-lists.ts';
import { durationWords } from '../../kit/duration-words.ts';
import { ExcludedTools } from '../../kit/excluded-tools.tsx';
import { CallFailure } from './call-failure.tsx';
import type { Doctor } from './data/server-calls.ts';
import { type CheckRow, reportVerdict } from './doctor-progress.ts';
import { ServerSent } from './server-sent.tsx';

export function DoctorSection({ doctor, ids }: { doctor: Doctor; ids: ServerIds }) {
  const { data: report, isPending } = doctor;
  const shown = isPending ? undefined : report;
  return (
    <section aria-labelledby="doctor" className="doctor">
      <div className="section-head">
        <h2 id="doctor">Doctor</h2>
        <div className="actions">
          {isPending ? (
            <button type="button" onClick={doctor.stop}>
              Stop
            </button>
          ) : (
            <button type="button" className="primary" onClick={() => doctor.start()}>
              {report === undefined ? 'Run the doctor' : 'Run it again'}
            </button>
          )}
        </div>
      </div>
      <div role="status" className="verdict-place">
        <Verdict doctor={doctor} />
      </div>
      {doctor.error !== null && !isPending && <CallFailure error={doctor.error} ids={ids} />}
      <ol className="checks" aria-label="Checks">
        {doctor.rows.map((row) => (
          <Check key={row.name} row={row} isPending={isPending} />
        ))}
      </ol>
      {shown !== undefined && <Found report={shown} ids={ids} />}
    </section>
  );
}

function Verdict({ doctor }: { doctor: Doctor }) {
  if (doctor.isPending) {
    const done = doctor.rows.filter(({ check }) => check !== undefined).length;
    return <p className="verdict">{`Examining: ${done} of ${doctor.rows.length} checks done.`}</p>;
  }
  if (doctor.data === undefined || doctor.error !== null) {
    return <p className="hint">Eight checks in order; they change nothing.</p>;
  }
  const { tone, word, sentence } = reportVerdict(doctor.data);
  return (
    <p className="verdict">
      <b className={`tone-${tone}`}>{word}:</b> {sentence}
    </p>
  );
}

function Check({ row, isPending }: { row: CheckRow; isPending: boolean }) {
  const { check, state } = row;
  // Before an examination starts, checks are not labelled as waiting.
  const word = state === 'waiting' && !isPending ? '' : stateWords[state];
  return (
    <li data-check={row.name} data-state={state}>
      <span className={`sign sign-${state}`} aria-hidden="true" />
      <div>
        <p className="check-line">
          <b>{row.title}</b> <span className="check-state">{word}</span>
          {check?.durationMs !== undefined && (
            <span className="check-time">{durationWords(check.durationMs)}</span>
          )}
        </p>
        <p className="check-detail foreign-text">{row.detail}</p>
        {check?.tried !== undefined && (
          <p className="check-tried">
            tried <code>{check.tried}</code>
          </p>
        )}
        {check?.advice !== undefined && (
          <p className="check-advice">
            <b>Next:</b> {check.advice}
          </p>
        )}
      </div>
    </li>
  );
}

function Revisions({ revisions = [] }: Pick<DoctorReport, 'revisions'>) {
  if (revisions.length === 0) return null;
  return (
    <>
      <h3 id="revisions">Revisions of MCP</h3>
      <ol className="checks" aria-labelledby="revisions">
        {revisions.map(({ revision, era, state, detail, problems }) => (
          <li key={revision} data-revision={revision} data-state={signs[state]}>
            <span className={`sign sign-${signs[state]}`} aria-hidden="true" />
            <div>
              <p className="check-line">
                <b>{revision}</b> <span className="check-state">{revisionStateWords[state]}</span>
                <span className="check-time">{era}</span>
              </p>
              <p className="check-detail foreign-text">{detail}</p>
              {problems.length > 0 && (
                <ul className="check-advice foreign-text">
                  {problems.map((problem) => (
                    <li key={`${problem.rule} ${problem.method}`}>
                      {revisionProblemText(problem)}
                    </li>
                  ))}
                </ul>
              )}
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

const signs = { spoken: 'ok', refused: 'skipped', broken: 'error' } as const;

const stateWords = {
  waiting: 'waiting',
  running: 'running…',
  ok: 'ok',
  error: 'error',
  skipped: 'skipped',
} as const;

const oauthRequired = {
  code: 'OAUTH_REQUIRED',
  message: 'The server refused to speak without one.',
} as const;

function Found({ report, ids }: { report: DoctorReport; ids: ServerIds }) {
  const facts = [
    ['Tools', String(report.tools.length)],
    ['Resources', String(report.resources.length)],
    ['Resource templates', String(report.resourceTemplates.length)],
    ['Prompts', String(report.prompts.length)],
    ...(report.widgets ? [['Widgets', widgetsSentence(report.widgets)] as const] : []),
  ] as const;
  return (
    <div className="found">
      <Revisions revisions={report.revisions} />
      <ExcludedTools tools={report.excludedTools ?? []} />
      {report.status === 'oauth_required' && (
        <CallFailure error={new ApiError(401, oauthRequired, undefined)} ids={ids} />
      )}
      {report.initInfo !== null && <ServerSent initInfo={report.initInfo} facts={facts} />}
      <RawJson title="The whole report (JSON)" value={report} />
    </div>
  );
}
