import { clockTime } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import { useNow } from '../workspace/use-now.ts';
import { short, shortPath } from '../live/lane-items.ts';
import { type GraphNode, waitGraphOf, YOU } from './wait-graph.ts';
import styles from './wait-graph-view.module.css';

const WIDE = 148;
const HIGH = 46;
const GAP = 112;
const PITCH = 66;
const TOP = 8;
const VERTICAL = 34;
const CORNER = 8;
const MAX_NODES = 40;
/** In a narrower graph letters would be too small to read: it scrolls sideways instead. */
const LEAST_WIDE = 330;

export function WaitGraphView() {
  const summaries = useWorkspace((panel) => panel.commands);
  const now = useNow();
  const { nodes, edges, columns } = waitGraphOf(summaries);
  const rows = Math.max(1, ...nodes.map(({ row }) => row + 1));
  const width = columns * WIDE + (columns - 1) * GAP + 4;
  const height = rows * PITCH + TOP;
  const x = ({ depth }: GraphNode): number => 2 + (columns - 1 - depth) * (WIDE + GAP);
  const y = ({ row }: GraphNode): number => TOP + row * PITCH;
  const nodeOf = (id: string): GraphNode | undefined => nodes.find((node) => node.id === id);
  const words = edges.map(({ from, to, text }) => {
    const [a, b] = [nodeOf(from)?.name ?? '', nodeOf(to)?.name ?? ''];
    const since = nodeOf(from)?.since ?? null;
    const age = since === null ? '' : ` since ${clockTime(now - since)}`;
    return `${a} waits for ${b === 'You' ? 'you' : b}${text === '' ? '' : `: ${text}`}${age}`;
  });
  return (
    <section className="panel" aria-label="What waits for what">
      <div className="panel-title">
        <h2>What waits for what</h2>
      </div>
      <div className={`scroll ${styles['scroll']}`} tabIndex={0} role="region" aria-label="Graph of waits">
        {edges.length === 0 && <p className="dim">Nothing is waiting</p>}
        {nodes.length > MAX_NODES ? (
          <ul className="padded">
            {words.map((word) => (
              <li key={word}>{word}</li>
            ))}
          </ul>
        ) : (
          edges.length > 0 && (
            <svg
              className={styles['graph']}
              viewBox={`0 0 ${width} ${height}`}
              style={{ maxWidth: width, minWidth: Math.min(width, LEAST_WIDE) }}
              role="group"
              aria-label={words.join('. ')}
            >
              {edges.map(({ from, to, text, kind }) => {
                const [a, b] = [nodeOf(from), nodeOf(to)];
                if (a === undefined || b === undefined) return null;
                const [x1, y1, x2, y2] = [x(a) + WIDE, y(a) + HIGH / 2, x(b) - 6, y(b) + HIGH / 2];
                const colour = kind === 'approval' ? 'var(--color-ask-solid)' : 'var(--color-wait-solid)';
                return (
                  <g key={from} fill="none" stroke={colour} strokeWidth="3" strokeLinecap="round">
                    <path
                      d={edgePath({ x1, y1, x2, y2 })}
                      strokeDasharray={kind === 'approval' ? '2 6' : '7 5'}
                    />
                    <path d={`M${x2 - 8} ${y2 - 7}l8 7-8 7`} strokeLinejoin="round" />
                    <text className={styles['small']} x={x1 + 8} y={y1 - 8} stroke="none">
                      {shortPath(text, y1 === y2 ? 14 : 10)}
                    </text>
                  </g>
                );
              })}
              {nodes.map((node) => (
                <NodeBox key={node.id} node={node} x={x(node)} y={y(node)} now={now} />
              ))}
            </svg>
          )
        )}
      </div>
    </section>
  );
}

/**
 * Along one vertical before the holder, with corners cut at 45°; drawn from the holder, so that dashes of several edges
 * coincide.
 */
function edgePath({ x1, y1, x2, y2 }: Readonly<Record<'x1' | 'y1' | 'x2' | 'y2', number>>): string {
  if (y1 === y2) return `M${x2} ${y2}H${x1}`;
  const turn = y2 < y1 ? -CORNER : CORNER;
  const vertical = x2 - VERTICAL;
  return `M${x2} ${y2}H${vertical + CORNER}l${-CORNER} ${-turn}V${y1 + turn}l${-CORNER} ${-turn}H${x1}`;
}

function NodeBox({ node, x, y, now }: Readonly<{ node: GraphNode; x: number; y: number; now: number }>) {
  if (node.id === YOU) {
    const [w, h] = [WIDE / 2, HIGH / 2 + 5];
    return (
      <a href={linkTo('approvals')} aria-label="You: open the approvals">
        <path
          d={`M${x + w} ${y + HIGH / 2 - h}l${w} ${h}-${w} ${h}-${w}-${h}z`}
          fill="var(--color-ask-solid)"
        />
        <text x={x + w} y={y + HIGH / 2 + 4} textAnchor="middle" className={styles['you']}>
          You
        </text>
      </a>
    );
  }
  return (
    <g>
      <rect className={styles['node']} data-kind={node.kind} x={x} y={y} width={WIDE} height={HIGH} rx="6" />
      <text x={x + 10} y={y + 20} className={styles['name']}>
        {short(node.name, 13)}
      </text>
      {node.since !== null && (
        <text x={x + WIDE - 10} y={y + 20} textAnchor="end" className={styles['small']}>
          {clockTime(now - node.since)}
        </text>
      )}
      <text x={x + 10} y={y + 36} className={styles['detail']}>
        {short(node.line, 18)}
      </text>
    </g>
  );
}
