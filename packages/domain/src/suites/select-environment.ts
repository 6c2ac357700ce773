/**
 * Chooses the environment or the servers of a launch. A suite with environments runs only in the
 * named one, or in the only one; a request that names servers is refused. A suite without
 * environments runs on the servers in the request, else on its saved servers.
 */
import { invalid, type Refusal } from '../kernel/refusal.ts';

export interface LaunchChoice {
  readonly environmentIds: readonly string[];
  readonly savedServerIds: readonly string[];
  readonly environmentId?: string | undefined;
  readonly serverIds?: readonly string[] | undefined;
}

export type LaunchSelection =
  | { readonly environmentId: string }
  | { readonly serverIds: readonly string[] }
  | { readonly refusal: Refusal };

export function selectEnvironment(
  choice: LaunchChoice,
  serversField: 'serverIds' | 'servers' = 'serverIds',
): LaunchSelection {
  const { environmentIds, savedServerIds, environmentId, serverIds } = choice;
  if (serverIds !== undefined && (environmentIds.length > 0 || environmentId !== undefined)) {
    return refused(
      `body.${serversField}`,
      'ENVIRONMENT_SERVERS_NOT_OVERRIDABLE',
      `An environment uses its own servers; remove ${serversField}.`,
    );
  }
  if (environmentId !== undefined) {
    return environmentIds.includes(environmentId)
      ? { environmentId }
      : refused(
          'body.environmentId',
          'ENVIRONMENT_NOT_ATTACHED',
          'This environment is not attached to the suite; attach it, or name one that is.',
        );
  }
  const [only, ...others] = environmentIds;
  if (only !== undefined) {
    return others.length === 0
      ? { environmentId: only }
      : refused(
          'body.environmentId',
          'ENVIRONMENT_REQUIRED',
          'The suite has several environments; name one of them in environmentId.',
          { environmentIds },
        );
  }
  const chosen = serverIds ?? savedServerIds;
  return chosen.length > 0
    ? { serverIds: [...new Set(chosen)] }
    : refused(
        `body.${serversField}`,
        'NO_SAVED_SERVER_SELECTION',
        `The suite has no saved servers and no environment; send ${serversField}, or attach an environment.`,
      );
}

function refused(
  path: string,
  reason: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): { readonly refusal: Refusal } {
  return { refusal: invalid(path, message, { reason, ...details }) };
}
