import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { parseAddress } from './address-class.ts';
import { type EgressPolicy, isAddressAllowed, isHostAllowed } from './address-policy.ts';
import { listedPorts, portOf } from './allow-list.ts';
import { EgressRefused } from './egress-refused.ts';
import { createNameLookup, type EgressLookup } from './name-lookup.ts';
import { normalizedHost } from './normalized-host.ts';
import { leadsToOwnPort } from './own-ports.ts';

/**
 * Opens sockets only to allowed addresses. A name is checked in the socket's own DNS lookup, so the
 * socket connects to the checked addresses, and DNS rebinding has no effect. If one address of a
 * name is forbidden, the name is refused. Literal IP addresses cause no lookup, so they are checked
 * before.
 */
export function guardedConnector(
  policy: EgressPolicy,
  connectTimeoutMs: number,
): buildConnector.connector {
  const lookup = policy.lookup ?? createNameLookup();
  const mayConnect = async (host: string, port: number, address: string) =>
    isAddressAllowed({ host, port }, address, policy) &&
    !(await leadsToOwnPort(address, port, policy.ownPorts ?? [], lookup));
  // A lookup function does not get the port. Each port that the policy mentions therefore has its
  // own connector, and all other ports share one.
  const connectors = new Map<number, buildConnector.connector>();
  const connectorOf = (port: number) => {
    const named = isNamed(policy, port) ? port : unnamed;
    const known = connectors.get(named);
    if (known !== undefined) return known;
    const made = buildConnector({
      timeout: connectTimeoutMs,
      rejectUnauthorized: true,
      lookup: guardedLookup(lookup, (host, address) => mayConnect(host, named, address)),
    });
    connectors.set(named, made);
    return made;
  };
  return (options, callback) => {
    const refuse = () => callback(new EgressRefused('EGRESS_BLOCKED'), null);
    const [host, port] = [normalizedHost(options.hostname), portOf(options)];
    const connect = () => connectorOf(port)(options, callback);
    if (!isHostAllowed({ host, port }, policy)) refuse();
    else if (parseAddress(host) === undefined || !isNamed(policy, port)) connect();
    else void mayConnect(host, port, host).then((may) => (may ? connect() : refuse()));
  };
}

/**
 * Stands for all ports that the policy does not mention. It is not 0, because a service whose port
 * is not chosen yet has port 0 in its policy.
 */
const unnamed = -1;

function isNamed({ ownPorts = [], allowedPrivateHosts }: EgressPolicy, port: number): boolean {
  return (
    ownPorts.some((own) => own.port === port) || listedPorts(allowedPrivateHosts).includes(port)
  );
}

function guardedLookup(
  lookup: EgressLookup,
  mayConnect: (host: string, address: string) => Promise<boolean>,
): LookupFunction {
  return (hostname, options, callback) => {
    const checked = lookup(hostname).then(async (answers) => {
      for (const { address } of answers) {
        if (!(await mayConnect(hostname, address))) throw new EgressRefused('EGRESS_BLOCKED');
      }
      return answers;
    });
    checked.then(
      (answers) => {
        const first = answers[0];
        if (first === undefined) {
          callback(new EgressRefused('UNREACHABLE'), '');
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
