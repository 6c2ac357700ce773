import { maskUrl } from '@proofmark/domain';
import type { Action } from '../../../platform/operations/action.ts';
import type { ServersParts } from '../servers-context.ts';
import { findTarget, orRefusal } from './speak-to-server.ts';

export const checkOAuth: Action<'checkOAuth', ServersParts> = async (context, { params, body }) => {
  const { server, target } = await findTarget(context, { params, body });
  const { signal } = context;
  const isHttp = target.address.kind === 'http';
  return {
    useOAuth: isHttp && (await orRefusal(context.mcp.requiresOAuth(target, { signal }), signal)),
    serverUrl: server.url && maskUrl(server.url),
  };
};
