import { type BytesBlock, type ContentBlock, type LinkBlock, sizeWords } from './content-block.ts';
import { LongText } from './long-text.tsx';

export function ContentBlocks(props: { blocks: readonly ContentBlock[] }) {
  return (
    <ol className="blocks">
      {props.blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of one answer never change.
        <li key={index}>
          <Block block={block} />
        </li>
      ))}
    </ol>
  );
}

function Block({ block }: { block: ContentBlock }) {
  switch (block.kind) {
    case 'text':
      return (
        <>
          <p className="block-kind">text{block.uri !== undefined && <code>{block.uri}</code>}</p>
          <LongText text={block.text} />
        </>
      );
    case 'image':
      return (
        <>
          <BytesLine bytes={block.bytes} />
          <img src={block.dataUrl} alt="Sent by the server" />
        </>
      );
    case 'bytes':
      return <BytesLine bytes={block} />;
    case 'link':
      return <LinkLine link={block} />;
    case 'unknown':
      return (
        <>
          <p className="block-kind">as it was sent</p>
          <LongText text={JSON.stringify(block.value, null, 2)} />
        </>
      );
  }
}

function BytesLine({ bytes }: { bytes: BytesBlock }) {
  return (
    <p className="block-kind">
      <span>{sizeWords(bytes.sizeBytes)}</span>
      <code>{bytes.mimeType}</code>
      {bytes.uri !== undefined && <code>{bytes.uri}</code>}
      <button type="button" className="small" onClick={() => download(bytes)}>
        Download
      </button>
    </p>
  );
}

function LinkLine({ link }: { link: LinkBlock }) {
  return (
    <>
      <p className="block-kind">resource {link.name}</p>
      <p>
        {link.href === undefined ? (
          <code>{link.uri}</code>
        ) : (
          <a href={link.href} target="_blank" rel="noopener noreferrer">
            {link.uri}
          </a>
        )}
      </p>
      {link.description !== '' && <LongText plain text={link.description} />}
    </>
  );
}

/**
 * Saves the content as plain bytes. With the content's own media type, a browser could open it as a
 * page of this origin.
 */
function download({ base64, fileName }: BytesBlock): void {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
