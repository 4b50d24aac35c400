/** The wasm-bindgen modules that crate/web compiles to, beside the built worker. */
declare module "*/evident.js" {
  export default function init(of?: {
    module_or_path: WebAssembly.Module;
    memory: WebAssembly.Memory;
  }): Promise<{ memory: WebAssembly.Memory }>;

  export function split(
    answer: import("./report.js").Input,
    options: import("./protocol.js").EngineOptions,
  ): import("./report.js").Split;

  export class Engine {
    private constructor();
    static open(
      options: import("./protocol.js").OpenOptions & { askWiki?: import("./protocol.js").AskWiki | undefined },
      onProgress: (progress: import("./protocol.js").StageProgress) => void,
      onNotice: (notice: import("./report.js").Notice) => void,
    ): Promise<Engine>;
    readonly backend: import("./report.js").Backend;
    verify(
      answer: import("./report.js").Input,
      options: import("./protocol.js").EngineOptions,
      onEvent: (event: import("./protocol.js").EngineEvent) => void,
    ): Promise<import("./report.js").Report>;
    judge(
      claim: import("./protocol.js").Claim,
      options: import("./protocol.js").EngineOptions,
      onEvent: (event: import("./protocol.js").EngineEvent) => void,
    ): Promise<import("./report.js").SentenceReport>;
    conner(
      item: import("./conner.js").ConnerItem,
      options: import("./protocol.js").ConnerEngineOptions,
      onStep: (step: import("./conner.js").ConnerStep) => void,
    ): Promise<import("./conner.js").ConnerReport>;
    secondOpinion(
      sentence: import("./report.js").SentenceReport,
      options: import("./protocol.js").EngineOptions,
      onEvent: (event: import("./report.js").VerifyEvent) => void,
    ): Promise<import("./report.js").SentenceReport>;
    checkSources(
      sentences: import("./report.js").SentenceReport[],
      pages: ReadonlyMap<string, Uint8Array | import("./report.js").Unread>,
      options: import("./protocol.js").EngineOptions,
      onEvent: (event: import("./protocol.js").EngineEvent) => void,
    ): Promise<import("./report.js").SourceReport[][]>;
    secondOpinionBytes(): Promise<number>;
    cancel(): void;
    /** Has one more worker judge sentences; the engine calls its `judge` and `cancel`. */
    addHelper(helper: import("./helpers.js").Helper): void;
    /** Has so many threads judge sentences. Only in the module "relaxed". */
    startThreads(count: number): void;
  }

  /** What a wiki may be sent about a claim. Only in the module "wiki". */
  export function words(statement: string, context: string): import("./protocol.js").WikiWords;

  /** A wiki. Only in the module "wiki". */
  export class Wiki {
    constructor(
      name: string,
      get: (address: string, most: number) => Promise<{ status: number; retryAfter?: number; body: Uint8Array }>,
      wait: (seconds: number) => Promise<void>,
    );
    ask: import("./protocol.js").AskWiki;
  }

  /** The module and the memory that make another worker a thread of this engine. Only in the module "relaxed". */
  export function shared(): [WebAssembly.Module, WebAssembly.Memory];

  /** Makes this worker a thread of the engine until the engine ends. Only in the module "relaxed". */
  export function serveThread(): void;

  /** What a helper's worker has: the models, and nothing of the index. */
  export class Assistant {
    private constructor();
    static open(
      pack: string,
      models: import("./protocol.js").ModelAddresses,
      model: import("./protocol.js").PackModel,
      expected: string | undefined,
      settings: Partial<import("./report.js").Settings>,
    ): Promise<Assistant>;
    judge(
      asked: unknown,
      settings: unknown,
      onEvent: (event: import("./protocol.js").EngineEvent) => void,
    ): Promise<unknown>;
    cancel(): void;
  }

  /** Opens an index, at an address that ends in a slash or of files by name, and says what it is. */
  export function inspectIndex(index: string | ReadonlyMap<string, Blob>): Promise<{ passages: number; hash: string }>;

  /** Builds an index, in memory, of passages as lines of JSON. */
  export class IndexBuilder {
    /** Adds the passages of a file and says how many there are now. */
    add(name: string, jsonl: Uint8Array): number;
    /** The files of the index by name. */
    build(): Map<string, Uint8Array<ArrayBuffer>>;
  }
}
