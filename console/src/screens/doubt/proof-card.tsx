import { Card } from '../../parts/card.tsx';
import { doubt } from '../../texts/en/doubt.ts';

const texts = doubt.proof;

/** What proves what, beside the thing to be proved. */
export function ProofCard({ operator }: Readonly<{ operator: string }>) {
  return (
    <Card title={texts.title} isPadded>
      <div className="proof">
        <Points title={texts.paid} tone="good" points={texts.paidBy(operator)} />
        <Points title={texts.notPaid} tone="bad" points={texts.notPaidBy(operator)} />
        <Points title={texts.nothing} points={texts.nothingBy} />
      </div>
    </Card>
  );
}

function Points({
  title,
  tone,
  points,
}: Readonly<{ title: string; tone?: 'good' | 'bad'; points: readonly string[] }>) {
  return (
    <div>
      <h3 className={tone}>{title}</h3>
      <ul className="bullets soft">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </div>
  );
}
