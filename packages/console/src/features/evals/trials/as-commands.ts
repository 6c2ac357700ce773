/** The same request for a terminal: as a command of ours and as curl. Texts of others are quoted, so that a shell takes none of them for its own. */
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

/** Without the server nobody knows whom to ask. */
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

/** As it is where a shell reads it so, else between quotation marks that end for nothing but a quotation mark. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
