import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyAddress } from './address-class.ts';
import {
  checkAllowedPrivateHosts,
  checkUrl,
  type EgressPolicy,
  isAddressAllowed,
} from './address-policy.ts';

const closed: EgressPolicy = { allowLoopback: false, allowedPrivateHosts: [] };
const wideOpen: EgressPolicy = {
  allowLoopback: true,
  allowedPrivateHosts: ['0.0.0.0/0', '::/0', 'metadata.internal', '169.254.169.254'],
};

describe('classifyAddress', () => {
  it.each([
    ['8.8.8.8', 'public'],
    ['172.15.255.255', 'public'],
    ['172.32.0.0', 'public'],
    ['2606:4700:4700::1111', 'public'],
    ['::ffff:8.8.8.8', 'public'],
    ['64:ff9b::8.8.8.8', 'public'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['10.0.0.1', 'special'],
    ['172.16.0.1', 'special'],
    ['192.168.1.1', 'special'],
    ['100.64.0.1', 'special'],
    ['169.254.1.1', 'special'],
    ['192.0.2.1', 'special'],
    ['198.18.0.1', 'special'],
    ['203.0.113.10', 'special'],
    ['240.0.0.1', 'special'],
    ['fc00::1', 'special'],
    ['fe80::1', 'special'],
    ['fe80::1%eth0', 'special'],
    ['fec0::1', 'special'],
    ['2001:db8::1', 'special'],
    ['2001::1', 'special'],
    ['2002:808:808::', 'special'],
    ['4000::1', 'special'],
    ['::8.8.8.8', 'special'],
    ['64:ff9b:1::8.8.8.8', 'special'],
    ['0.0.0.0', 'never'],
    ['0.1.2.3', 'never'],
    ['::', 'never'],
    ['255.255.255.255', 'never'],
    ['224.0.0.1', 'never'],
    ['ff02::1', 'never'],
    ['64:ff9b::10.0.0.1', 'never'],
    ['64:ff9b::127.0.0.1', 'never'],
    ['127.1', 'never'],
    ['0177.0.0.1', 'never'],
    ['', 'never'],
    ['not an address', 'never'],
  ])('%s is %s', (address, expected) => {
    expect(classifyAddress(address)).toBe(expected);
  });
});

const metadata = [
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd20:ce::254',
];

describe('metadata addresses', () => {
  const wrapped = metadata
    .filter((address) => !address.includes(':'))
    .flatMap((address) => wrappingsOf(octetsOf(address)));

  it.each([...metadata, ...wrapped])('%s is refused even when the operator lists it', (address) => {
    const listed = { ...wideOpen, allowedPrivateHosts: [...wideOpen.allowedPrivateHosts, address] };
    expect(isAddressAllowed({ host: 'metadata.internal', port: 80 }, address, listed)).toBe(false);
    const host = address.includes(':') ? `[${address}]` : address;
    expect(checkUrl(`http://${host}/latest`, listed)).toEqual({ refusal: 'EGRESS_BLOCKED' });
  });
});

describe('the operator list', () => {
  const policy: EgressPolicy = {
    allowLoopback: false,
    allowedPrivateHosts: [
      'Tools.Internal.',
      '10.1.0.0/16',
      '192.168.7.7',
      '[fd12::1]',
      'fd34::/32',
    ],
  };

  it.each([
    ['tools.internal', '10.9.9.9', true],
    ['TOOLS.internal.', '10.9.9.9', true],
    ['tools.internal', '127.0.0.1', false],
    ['tools.internal', '169.254.169.254', false],
    ['tools.internal', '0.0.0.0', false],
    ['other.internal', '10.9.9.9', false],
    ['sub.tools.internal', '10.9.9.9', false],
    ['other.internal', '10.1.2.3', true],
    ['other.internal', '::ffff:10.1.2.3', true],
    ['other.internal', '64:ff9b::10.1.2.3', false],
    ['other.internal', '192.168.7.7', true],
    ['other.internal', '192.168.7.8', false],
    ['other.internal', 'fd12::1', true],
    ['other.internal', 'fd12::2', false],
    ['other.internal', 'fd34:0:1::9', true],
  ])('%s at %s: allowed %s', (host, address, allowed) => {
    expect(isAddressAllowed({ host, port: 443 }, address, policy)).toBe(allowed);
  });

  it.each([
    ...['10.0.0.0/33', 'http://host', 'a b', '', '10/8', 'user@host'],
    ...['host:', 'host:0', 'host:65536', 'host:1:2', ':80', '10.0.0.0/8:80', '[fd12::1]:x'],
  ])('%j is refused as an entry', (entry) => {
    expect(() =>
      checkAllowedPrivateHosts({ allowLoopback: false, allowedPrivateHosts: [entry] }),
    ).toThrow(RangeError);
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1/', true],
    ['127.0.0.1', 'http://2130706433:9000/', true],
    ['127.0.0.1', 'http://127.0.0.2/', false],
    ['127.0.0.0/8', 'http://127.9.9.9/', true],
    ['[::1]', 'http://[::1]:9000/', true],
    ['localhost', 'http://localhost/', true],
    ['localhost', 'http://127.0.0.1:9000/', true],
    ['localhost:9000', 'http://[::1]:9000/', true],
    ['localhost:9000', 'http://localhost:9001/', false],
    ['127.0.0.1:9000', 'http://127.0.0.1:9000/', true],
    ['127.0.0.1:9000', 'http://[::ffff:7f00:1]:9000/', true],
    ['127.0.0.1:9000', 'http://127.0.0.1:9001/', false],
    ['127.0.0.1:443', 'https://127.0.0.1/', true],
    ['127.0.0.1:443', 'http://127.0.0.1/', false],
    ['[::1]:9000', 'http://[::1]:9000/', true],
    ['0.0.0.0/0', 'http://127.0.0.1/', false],
    ['::/0', 'http://[::1]/', false],
    ['10.0.0.1:9000', 'http://10.0.0.1:9000/', true],
    ['10.0.0.1:9000', 'http://10.0.0.1:9001/', false],
  ])('%s opens %s: %s', (entry, url, opens) => {
    const listed = { allowLoopback: false, allowedPrivateHosts: [entry] };
    expect(checkUrl(url, listed)).toEqual(opens ? {} : { refusal: 'EGRESS_BLOCKED' });
  });

  it('opens a name at its port, but not where it leads to loopback', () => {
    const listed = { allowLoopback: false, allowedPrivateHosts: ['tools.internal:9000'] };
    const allows = (port: number, address: string) =>
      isAddressAllowed({ host: 'tools.internal', port }, address, listed);
    expect([allows(9000, '10.0.0.1'), allows(9001, '10.0.0.1')]).toEqual([true, false]);
    expect(allows(9000, '127.0.0.1')).toBe(false);
  });
});

describe('checkUrl', () => {
  it.each([
    ['https://mcp.example.com/mcp', undefined],
    ['http://8.8.8.8/', undefined],
    ['http://localhost:3000/', 'EGRESS_BLOCKED'],
    ['http://LOCALHOST./', 'EGRESS_BLOCKED'],
    ['http://api.localhost/', 'EGRESS_BLOCKED'],
    ['http://127。0。0。1/', 'EGRESS_BLOCKED'],
    ['http://0/', 'EGRESS_BLOCKED'],
    ['http://[::]/', 'EGRESS_BLOCKED'],
    ['http://[fe80::1%25eth0]/', 'INVALID_URL'],
    ['http://user@example.com/', 'INVALID_URL'],
    ['http://:secret@example.com/', 'INVALID_URL'],
    ['ftp://example.com/', 'INVALID_URL'],
    ['file:///etc/passwd', 'INVALID_URL'],
    ['javascript:alert(1)', 'INVALID_URL'],
    ['example.com', 'INVALID_URL'],
    ['', 'INVALID_URL'],
  ])('%s: %s', (url, refusal) => {
    expect(checkUrl(url, closed).refusal).toBe(refusal);
  });

  it('blocks every address of every blocked v4 range, in every spelling', () => {
    fc.assert(
      fc.property(blockedV4, (octets) => {
        for (const host of [
          ...spellingsOf(octets),
          ...wrappingsOf(octets).map((v6) => `[${v6}]`),
        ]) {
          expect([host, checkUrl(`http://${host}/`, closed).refusal]).toEqual([
            host,
            'EGRESS_BLOCKED',
          ]);
        }
      }),
    );
  });

  it('blocks every address of every blocked v6 range, in every spelling', () => {
    fc.assert(
      fc.property(blockedV6, (words) => {
        const long = words.map((word) => word.toString(16).padStart(4, '0')).join(':');
        const short = words.map((word) => word.toString(16)).join(':');
        for (const host of [
          long,
          short,
          short.toUpperCase(),
          new URL(`http://[${long}]`).hostname,
        ]) {
          const url = `http://${host.startsWith('[') ? host : `[${host}]`}/`;
          expect([url, checkUrl(url, closed).refusal]).toEqual([url, 'EGRESS_BLOCKED']);
        }
      }),
    );
  });
});

const byte = fc.integer({ min: 0, max: 255 });
const word = fc.integer({ min: 0, max: 0xffff });

const blockedV4 = fc.oneof(
  fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.tuple(fc.constant(192), fc.constant(0), fc.constantFrom(0, 2), byte),
  fc.tuple(fc.constant(198), fc.constantFrom(18, 19), byte, byte),
  fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
);

const blockedV6 = fc
  .tuple(
    fc.oneof(
      fc.integer({ min: 0xfc00, max: 0xfdff }),
      fc.integer({ min: 0xfe80, max: 0xfeff }),
      fc.integer({ min: 0xff00, max: 0xffff }),
      fc.integer({ min: 0x4000, max: 0xfbff }),
      fc.constant(0x2002),
      fc.constant(0x0100),
    ),
    fc.array(word, { minLength: 7, maxLength: 7 }),
  )
  .map(([first, rest]) => [first, ...rest]);

function octetsOf(address: string): number[] {
  return address.split('.').map(Number);
}

function spellingsOf(octets: readonly number[]): string[] {
  const [a, b, c, d] = octets as [number, number, number, number];
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const dotted = octets.join('.');
  return [
    dotted,
    `${dotted}.`,
    String(whole),
    `0x${whole.toString(16)}`,
    `0X${whole.toString(16).toUpperCase()}`,
    `0${whole.toString(8)}`,
    octets.map((octet) => `0x${octet.toString(16)}`).join('.'),
    octets.map((octet) => `0${octet.toString(8)}`).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `0x${a.toString(16)}.0${b.toString(8)}.${c}.${d}`,
    dotted.replaceAll('.', '%2e'),
    dotted.replaceAll('.', '。'),
    dotted.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  ];
}

/**
 * Returns the v6 addresses that contain this v4 address: mapped, translated, compatible, 6to4,
 * Teredo.
 */
function wrappingsOf(octets: readonly number[]): string[] {
  const [a, b, c, d] = octets as [number, number, number, number];
  const high = (a * 256 + b).toString(16);
  const low = (c * 256 + d).toString(16);
  const turned = [(a * 256 + b) ^ 0xffff, (c * 256 + d) ^ 0xffff].map((n) => n.toString(16));
  return [
    `::ffff:${octets.join('.')}`,
    `::ffff:${high}:${low}`,
    `0:0:0:0:0:FFFF:${high}:${low}`,
    `::ffff:0:${high}:${low}`,
    `::${high}:${low}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b:1::${high}:${low}`,
    `2002:${high}:${low}::1`,
    `2001:0:${high}:${low}::`,
    `2001::${turned.join(':')}`,
  ];
}
