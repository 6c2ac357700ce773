import { isRecord, type Json } from '@proofmark/domain';

/**
 * An image in a tool result. A model gets the texts of a result as text, and its images as images
 * if it supports them. For any other content it gets a description, so that it knows the content
 * exists.
 */
export interface ResultImage {
  readonly mediaType: string;
  /** The bytes of the content in base64. */
  readonly data: string;
}

export interface ToolResultContent {
  readonly text: string;
  readonly images: readonly ResultImage[];
  readonly isError: boolean;
}

/** Reads the content of a tool result; undefined if the value is no result of an MCP tool. */
export function toolResultContent(value: unknown): ToolResultContent | undefined {
  const result = recordOf(value);
  const { content, structuredContent } = result;
  if (!Array.isArray(content)) return undefined;
  const blocks = content.map((block: unknown) => readBlock(recordOf(block)));
  const texts = blocks.map(({ text }) => text);
  // Structured content repeats the text of a result, so it is used only if there is no text.
  if (structuredContent !== undefined && !blocks.some(({ isText }) => isText)) {
    texts.push(JSON.stringify(structuredContent));
  }
  return {
    text: texts.length === 0 ? '[no content]' : texts.join('\n'),
    images: blocks.flatMap(({ image }) => (image === undefined ? [] : [image])),
    isError: result['isError'] === true,
  };
}

interface Block {
  readonly text: string;
  readonly isText?: true;
  readonly image?: ResultImage;
}

function readBlock(block: Json): Block {
  const { type } = block;
  switch (type) {
    case 'text':
      return { text: textOf(block['text']), isText: true };
    case 'image':
    case 'audio':
      return readData(type, textOf(block['mimeType']), textOf(block['data']));
    case 'resource':
      return readResource(recordOf(block['resource']));
    case 'resource_link':
      return { text: words('link', block['name'], block['uri'], block['mimeType']) };
    default:
      return { text: words('content of an unknown kind', type) };
  }
}

function readResource(resource: Json): Block {
  const { uri, mimeType, text, blob } = resource;
  if (isWidget(resource)) return { text: words('user interface', uri, 'shown to the user') };
  if (typeof text === 'string') {
    return { text: `${words('resource', uri, mimeType)}\n${text}`, isText: true };
  }
  const mediaType = textOf(mimeType);
  const kind = mediaType.startsWith('image/') ? 'image' : 'resource';
  return readData(kind, mediaType, textOf(blob), uri);
}

/**
 * Returns whether a resource is a user interface for people, which a client only mentions to the
 * model.
 */
export function isWidget({ uri, mimeType }: Json): boolean {
  return textOf(uri).startsWith('ui://') && textOf(mimeType).startsWith('text/html');
}

function readData(kind: string, mediaType: string, data: string, uri?: unknown): Block {
  const text = words(kind, uri, mediaType, sizeInWords(data));
  const isImage = kind === 'image' && imageTypes.has(mediaType) && /^[\w+/]+={0,2}$/.test(data);
  return isImage ? { text, image: { mediaType, data } } : { text };
}

/**
 * Returns the size of the decoded data as text. The decoded bytes are three quarters of the base64
 * length.
 */
export function sizeInWords(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4);
  return bytes < 1000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} kB`;
}

function words(kind: string, ...about: readonly unknown[]): string {
  const texts = about.map(textOf).filter((one) => one !== '');
  return texts.length === 0 ? `[${kind}]` : `[${kind} ${texts.join(', ')}]`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function recordOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}

/**
 * The image types that providers accept. With any other type they would reject the whole request.
 */
const imageTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);
