import { CopyText } from '../../kit/copy-text.tsx';
import { forForm, useOperation } from '../../kit/data/operations.ts';
import type { ServerIds } from '../../kit/data/server-lists.ts';
import { callProblem } from './call-problem.ts';

export function CallFailure(props: {
  error: Error;
  ids: ServerIds;
  /** The capability that the server may lack, such as "prompts", as a word for the message. */
  what?: string;
  busy?: boolean;
  onRetry?: () => void;
}) {
  const { title, message, advice, isAbsence, needsTokens } = callProblem(props.error);
  if (isAbsence && props.what !== undefined) {
    return (
      <div className="panel empty">
        <h3>This server offers no {props.what}</h3>
        <p>{advice}</p>
      </div>
    );
  }
  return (
    <div className={needsTokens ? 'panel held' : 'panel failure'} role="alert">
      <h3>{title}</h3>
      <p className="foreign-text">{message}</p>
      <p className="hint">{advice}</p>
      {needsTokens && <ImportCommand ids={props.ids} />}
      {props.onRetry !== undefined && (
        <button type="button" disabled={props.busy} onClick={props.onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

function ImportCommand({ ids }: { ids: ServerIds }) {
  const { data: server } = useOperation(
    'getProjectServer',
    { projectId: ids.projectId, serverId: ids.serverId },
    forForm,
  );
  const command = importCommand(ids, server?.url ?? '');
  return <CopyText block text={command} label="Copy the command" />;
}

function importCommand({ projectId, serverId }: ServerIds, serverUrl: string): string {
  const path = `/api/v1/projects/${projectId}/servers/${serverId}/oauth/import-tokens`;
  const body = {
    serverUrl,
    tokens: { access_token: '…', refresh_token: '…', expires_in: 3600 },
  };
  return [
    `curl -X POST "${window.location.origin}${path}"`,
    '-H "Authorization: Bearer $PROOFMARK_API_KEY"',
    '-H "Content-Type: application/json"',
    `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
  ].join(' \\\n  ');
}
