/**
 * A request as a `proofmark` command and as a curl command. Names and values are quoted, so that
 * the shell does not interpret them.
 */
export interface AsCommands {
  readonly command: string;
  readonly curl: string;
}

export function traceCommands(known: {
  readonly origin: string;
  readonly projectId: string;
  readonly runId: string;
  readonly trialId: string;
}): AsCommands {
  const { origin, projectId, runId, trialId } = known;
  const path = `projects/${projectId}/eval-runs/${runId}/iterations/${trialId}/trace`;
  return {
    command: `proofmark eval trace ${quoted(runId)} ${quoted(trialId)}`,
    curl: curlOf(`${origin}/api/v1/${path}`),
  };
}

/** Undefined if the server, and thus the address, is unknown. */
export function callCommands(known: {
  readonly origin: string;
  readonly projectId: string;
  readonly serverId: string | undefined;
  readonly serverName: string | undefined;
  readonly toolName: string;
  readonly input: unknown;
}): AsCommands | undefined {
  const { origin, projectId, serverId, serverName, toolName } = known;
  if (serverId === undefined) return undefined;
  const parameters = known.input ?? {};
  const server = quoted(serverName ?? serverId);
  const path = `projects/${projectId}/servers/${encodeURIComponent(serverId)}/tools/call`;
  return {
    command: `proofmark call ${server} ${quoted(toolName)} --args ${quoted(JSON.stringify(parameters))}`,
    curl: curlOf(`${origin}/api/v1/${path}`, { toolName, parameters }),
  };
}

function curlOf(url: string, body?: unknown): string {
  return [
    `curl ${body === undefined ? '' : '-X POST '}${quoted(url)}`,
    '-H "Authorization: Bearer $PROOFMARK_API_KEY"',
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
}

/** Puts text that is unsafe in a shell into single quotes, and escapes single quotes inside it. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
