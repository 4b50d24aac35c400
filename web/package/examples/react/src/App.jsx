import "evident-check/element";
import { useState } from "react";

const SETTINGS = { evidence: 5 };

export function App() {
  const [contradicted, setContradicted] = useState(null);
  return (
    <main>
      <p id="answer">The atomic number of carbon is 8.</p>
      <evident-check
        for="answer"
        size="inline"
        settings={SETTINGS}
        onevident-report={({ detail }) => setContradicted(detail.report.summary.unfactual)}
      />
      <output>{contradicted === null ? "" : `${contradicted} contradicted`}</output>
    </main>
  );
}
