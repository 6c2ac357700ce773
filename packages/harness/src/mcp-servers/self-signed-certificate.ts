/**
 * Creates a self-signed certificate. A new one is created each time, so that the repository
 * contains no private key.
 */
import { generateKeyPairSync, sign } from 'node:crypto';

export function selfSignedCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // The object identifier of ecdsa-with-SHA256.
  const algorithm = sequence(bytes('06082a8648ce3d040302'));
  // The subject and the issuer: the commonName localhost.
  const name = sequence(
    tagged(0x31, sequence(bytes('0603550403'), tagged(0x0c, Buffer.from('localhost')))),
  );
  const validity = sequence(utcTime(-1), utcTime(2));
  const body = sequence(
    tagged(0xa0, bytes('020102')),
    bytes('020101'),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', body, privateKey);
  const bits = tagged(0x03, Buffer.from([0]), signature);
  const base64 = sequence(body, algorithm, bits).toString('base64');
  const lines = base64.match(/.{1,64}/g)?.join('\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function utcTime(daysFromNow: number): Buffer {
  const iso = new Date(Date.now() + daysFromNow * 86_400_000).toISOString();
  return tagged(0x17, Buffer.from(`${iso.slice(2, 19).replace(/[-:T]/g, '')}Z`));
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}
