import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, refusalFrom } from '../api/client.ts';
import type { OutputMatchView } from '@signalbox/api';
import { Loading } from '../parts/loading.tsx';
import { markedParts } from '../parts/marked-parts.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Shown } from '../parts/with-code.tsx';
import styles from './output-search.module.css';

type Props = Readonly<{
  id: string;
  stream: 'stdout' | 'stderr';
  onFound: (wanted: string, match: OutputMatchView) => void;
  onClear: () => void;
}>;

/** Lines that contain a text. The server searches: an output of 100 MB is never loaded as a whole. */
export function SearchInOutput({ id, stream, onFound, onClear }: Props) {
  const [wanted, setWanted] = useState('');
  return (
    <div className={styles['search']}>
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setWanted(event.currentTarget.querySelector('input')?.value.trim() ?? '');
        }}
      >
        <input
          type="search"
          name="wanted"
          aria-label="Find in the output"
          placeholder="Find in the output"
          maxLength={200}
          onChange={({ target }) => {
            if (target.value !== '') return;
            setWanted('');
            onClear();
          }}
        />
        <button type="submit" className="btn sm">
          Find
        </button>
      </form>
      {wanted !== '' && (
        <Matches
          key={`${stream} ${wanted}`}
          id={id}
          stream={stream}
          wanted={wanted}
          onChoose={(match) => onFound(wanted, match)}
        />
      )}
    </div>
  );
}

function Matches({
  id,
  stream,
  wanted,
  onChoose,
}: Pick<Props, 'id' | 'stream'> & Readonly<{ wanted: string; onChoose: (match: OutputMatchView) => void }>) {
  const [chosen, setChosen] = useState<number | null>(null);
  const search = useInfiniteQuery({
    queryKey: ['output-search', id, stream, wanted],
    queryFn: ({ pageParam: { from, line } }) => client.searchOutput({ id, stream, text: wanted, from, line }),
    initialPageParam: { from: 0, line: 1 },
    getNextPageParam: ({ next }) => next,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (search.isError) return <RefusalNote refusal={refusalFrom(search.error)} />;
  if (search.data === undefined) return <Loading lines={1} />;
  const matches = search.data.pages.flatMap((page) => page.matches);
  const count = matches.length === 1 ? '1 line' : `${matches.length} lines`;
  return (
    <>
      <p className="status" role="status">
        {matches.length === 0 ? 'No matching lines' : search.hasNextPage ? `The first ${count}` : count}
      </p>
      {matches.length > 0 && (
        <ol className={styles['hits']} tabIndex={0} aria-label="Lines found">
          {matches.map((match) => (
            <li key={match.at}>
              <button
                type="button"
                aria-pressed={chosen === match.at}
                onClick={() => {
                  setChosen(match.at);
                  onChoose(match);
                }}
              >
                <span className="num">{match.line.toLocaleString('en')}</span>
                <code>
                  {markedParts(match.text, wanted).map(({ text, isMarked }, at) =>
                    isMarked ? (
                      <mark key={at} className="hit">
                        <Shown text={text} layout="lines" />
                      </mark>
                    ) : (
                      <Shown key={at} text={text} layout="lines" />
                    ),
                  )}
                </code>
              </button>
            </li>
          ))}
          {search.hasNextPage && (
            <li>
              <button type="button" disabled={search.isFetching} onClick={() => void search.fetchNextPage()}>
                <span />
                {search.isFetching ? 'Searching…' : 'Search further'}
              </button>
            </li>
          )}
        </ol>
      )}
    </>
  );
}
