// Preloaded into a program that would otherwise listen on all interfaces. The program then listens
// on 127.0.0.1 only and prints its port on stderr. With port 0 the system chooses a free port.
import net from 'node:net';

const listen = net.Server.prototype.listen;

net.Server.prototype.listen = function listenOnLoopback(first, ...rest) {
  const port = portOf(first);
  if (port === undefined) return listen.call(this, first, ...rest);
  const callback = rest.findLast((value) => typeof value === 'function');
  if (callback !== undefined) this.once('listening', callback);
  this.once('listening', () => {
    process.stderr.write(`\nlistening at 127.0.0.1:${this.address().port}\n`);
  });
  // `listen` with a host would first resolve the host asynchronously, but some programs read their
  // port right after the call. The private method listens at once.
  this._listen2('127.0.0.1', port, 4, 511);
  return this;
};

/**
 * Returns the requested port (default: 0). Returns undefined for a socket file or a handle, which
 * must not be rebound.
 */
function portOf(first) {
  if (first === undefined || first === null || typeof first === 'function') return 0;
  if (typeof first === 'number') return first;
  if (typeof first === 'string') return /^\d+$/.test(first) ? Number(first) : undefined;
  return 'port' in first ? Number(first.port ?? 0) : undefined;
}
