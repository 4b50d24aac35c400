/** The half of pdf.js that reads; the package declares no types for it. */
declare module "pdfjs-dist/legacy/build/pdf.worker.mjs" {
  export const WorkerMessageHandler: { initializeFromPort(port: MessagePort): void };
}
