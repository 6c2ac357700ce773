import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { type EgressPolicy, isAddressAllowed, isHostAllowed } from './address-policy.ts';
import { EgressRefused } from './egress-refused.ts';
import { createNameLookup } from './name-lookup.ts';

/**
 * Opens sockets only to allowed addresses. A name is checked inside the socket's own lookup, so the
 * addresses that were checked are the ones connected to, and a name server that changes its mind
 * between check and use gains nothing. One forbidden answer forbids the name: otherwise the order of
 * the answers would decide. A socket never looks up a literal, so literals are checked before.
 */
export function guardedConnector(
  policy: EgressPolicy,
  connectTimeoutMs: number,
): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    rejectUnauthorized: true,
    lookup: guardedLookup(policy),
  });
  return (options, callback) => {
    if (!isHostAllowed(options.hostname, policy)) {
      callback(new EgressRefused('EGRESS_BLOCKED'), null);
      return;
    }
    connect(options, callback);
  };
}

function guardedLookup(policy: EgressPolicy): LookupFunction {
  const lookup = policy.lookup ?? createNameLookup();
  return (hostname, options, callback) => {
    lookup(hostname).then(
      (answers) => {
        const first = answers[0];
        if (first === undefined) {
          callback(new EgressRefused('UNREACHABLE'), '');
        } else if (!answers.every((answer) => isAddressAllowed(hostname, answer.address, policy))) {
          callback(new EgressRefused('EGRESS_BLOCKED'), '');
        } else if (options.all === true) {
          callback(null, answers.map(connectable));
        } else {
          callback(null, first.address, isIP(first.address));
        }
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

function connectable(answer: { address: string }): { address: string; family: number } {
  return { address: answer.address, family: isIP(answer.address) };
}
