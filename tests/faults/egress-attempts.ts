export const addresses = {
  canaries: ['169.254.169.254', '10.0.0.1', 'fd00:ec2::254', '127.0.0.1'],
  service: '11.0.0.5',
  attacker: '11.0.0.9',
} as const;

/**
 * The port of the attacker's servers. The canaries, servers that no attempt may reach, also listen
 * on it.
 */
export const webPort = 80;
export const canaryPorts = [webPort, 443];

export const spellings: readonly string[] = [
  ...['169.254.169.254', '10.0.0.1', '127.0.0.1'].flatMap(spellingsOf),
  '[fd00:ec2::254]',
  '[FD00:0EC2:0:0:0:0:0:254]',
  '[fd00:ec2::0.0.2.84]',
  '[::1]',
  '0',
  'localhost',
  'LocalHost.',
  'a.localhost',
];

/**
 * The answers of the attacker's name server, given in turn. Each list of addresses is one answer.
 */
export const names: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'inward.attacker.test': [['10.0.0.1']],
  'metadata.attacker.test': [['169.254.169.254']],
  'six.attacker.test': [['fd00:ec2::254']],
  'loopback.attacker.test': [['127.0.0.1']],
  'mixed.attacker.test': [[addresses.attacker, '169.254.169.254']],
  'mixed-six.attacker.test': [[addresses.attacker, 'fd00:ec2::254']],
  'rebinding.attacker.test': [[addresses.attacker], ['169.254.169.254'], ['10.0.0.1']],
  'honest.attacker.test': [[addresses.attacker]],
};

/** Each place in which an MCP server or its authorization server can name an address. */
export const pointers = [
  'redirect-301',
  'redirect-302',
  'redirect-303',
  'redirect-307',
  'redirect-308',
  'stream-redirect',
  'sse-endpoint',
  'resource-metadata',
  'authorization-server',
  'token-endpoint',
  'metadata-redirect',
] as const;

export type Pointer = (typeof pointers)[number];

function spellingsOf(dotted: string): string[] {
  const [a, b, c, d] = dotted.split('.').map(Number) as [number, number, number, number];
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = [a * 256 + b, c * 256 + d].map((part) => part.toString(16)).join(':');
  return [
    dotted,
    `${dotted}.`,
    String(whole),
    `0x${whole.toString(16)}`,
    `0${whole.toString(8)}`,
    [a, b, c, d].map((octet) => `0x${octet.toString(16)}`).join('.'),
    [a, b, c, d].map((octet) => `0${octet.toString(8)}`).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    dotted.replaceAll('.', '。'),
    dotted.replaceAll('.', '%2e'),
    `[::ffff:${dotted}]`,
    `[::ffff:${hex}]`,
    `[64:ff9b::${hex}]`,
    `[2002:${hex}::1]`,
    `attacker@${dotted}`,
  ];
}
