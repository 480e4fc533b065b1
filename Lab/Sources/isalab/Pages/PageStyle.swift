/// How pages look: on a projector, on a small screen, in the dark, on paper.
enum PageStyle {
  static var sheet: String {
    let light = inks(\.light)
    let dark = inks(\.dark)
    return """
      :root{color-scheme:light;\(light)}
      @media screen and (prefers-color-scheme:dark){
      :root:not([data-theme=light]){color-scheme:dark;\(dark)}}
      @media screen{:root[data-theme=dark]{color-scheme:dark;\(dark)}}
      \(GraphStyle.rules { "var(--\($0.rawValue))" })\(rules)\(print)
      """
  }

  private static func inks(_ value: (GraphStyle.Ink) -> String) -> String {
    GraphStyle.Ink.allCases.map { "--\($0.rawValue):\(value($0))" }.joined(separator: ";")
  }

  private static let rules = """
    *{box-sizing:border-box}
    html{font-size:clamp(16px,.6vw + 9.5px,24px);scroll-padding-top:5rem}
    body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 \(GraphStyle.sans)}
    code,.code,.told,.events{font-family:\(GraphStyle.mono)}
    h1,h2,h3,p,ol,ul,figure{margin:0;padding:0}
    h1{font-size:1.15rem;font-weight:650}
    h2{font-size:.95rem;font-weight:650;color:var(--quiet);margin-bottom:.6rem}
    h3{font-size:1rem;font-weight:650}
    a{color:inherit}
    bdi{unicode-bidi:isolate}
    [hidden],.off{display:none}
    :focus-visible{outline:3px solid var(--observes);outline-offset:2px;border-radius:3px}
    .seen-not{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);
      white-space:nowrap}
    .skip:not(:focus){position:absolute;left:-99rem}
    .skip:focus{position:fixed;z-index:9;top:.5rem;left:.5rem;padding:.4rem .8rem;
      background:var(--paper)}
    .page{max-width:96rem;margin:0 auto;padding:0 clamp(1rem,2.5vw,3rem) 3rem}

    .bar{position:sticky;top:0;z-index:5;background:var(--paper);
      border-bottom:1px solid color-mix(in srgb,var(--quiet) 35%,transparent)}
    .bar>div{display:flex;align-items:center;gap:.5rem 1.1rem;flex-wrap:wrap;
      max-width:96rem;margin:0 auto;padding:.6rem clamp(1rem,2.5vw,3rem)}
    .bar h1{flex:none;max-width:24rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
    .steps{display:flex;align-items:center;gap:.45rem;flex:1 1 22rem;min-width:0}
    .steps input{flex:1;min-width:5rem;height:2.4rem;margin:0 .5rem;accent-color:var(--observes)}
    .steps output{flex:none;min-width:6.5rem;text-align:end;font-variant-numeric:tabular-nums;
      color:var(--quiet)}
    button{font:inherit;color:inherit;background:none;border:1.5px solid var(--quiet);
      border-radius:.45rem;min-height:2.4rem;padding:0 .7rem;cursor:pointer}
    button:hover{background:var(--fill)}
    button:disabled{opacity:.4;cursor:default}
    .steps button{width:2.7rem;padding:0;display:inline-grid;place-items:center;flex:none}
    .steps svg{width:1.1rem;height:1.1rem;fill:currentColor}
    button[aria-pressed=true]{background:var(--fill)}
    .playing .play,:not(.playing)>.steps .pause{display:none}

    .statement{display:flex;gap:.9rem;align-items:baseline;margin:1.4rem 0 .4rem;min-height:2.2em;
      font-size:clamp(1.15rem,1rem + .8vw,1.7rem);line-height:1.3}
    .statement span{flex:none;color:var(--quiet);font-variant-numeric:tabular-nums}
    .statement code{overflow-wrap:anywhere;font-weight:600}
    .drawing{overflow-x:auto;margin:0 0 1.6rem}
    .drawing svg{display:block;width:100%;height:auto;margin:0 auto;
      min-width:calc(var(--natural)*.92);max-width:calc(var(--natural)*1.5)}
    .graph .node,.graph .edge{transition:opacity .35s}
    .graph .arriving{opacity:0}
    @media (prefers-reduced-motion:reduce){.graph .node,.graph .edge{transition:none}}

    .panels{display:grid;gap:2rem 3rem;grid-template-columns:minmax(0,1fr)}
    .panels>*{min-width:0}
    .stack>section+section{margin-top:2rem}
    .source{list-style:none;max-height:32rem;overflow:auto;font-size:.9rem;line-height:1.65;
      position:relative}
    .source li{display:flex;border-inline-start:4px solid transparent}
    .source .line{flex:none;width:2.6rem;padding-inline-end:.8rem;text-align:end;
      color:var(--quiet);user-select:none}
    .source code{white-space:pre-wrap;overflow-wrap:anywhere;min-width:0;flex:1;tab-size:2;
      text-indent:-2ch;padding-inline-start:2ch;direction:ltr}
    .source a{text-decoration:none;display:block}
    .source a:hover{text-decoration:underline;text-underline-offset:.2em}
    .source .now{background:var(--made);border-color:var(--swapped)}
    .source .now a{font-weight:600}
    .source .comment{color:var(--quiet)}

    .told{list-style:none;font-size:.9rem}
    .told li{white-space:pre-wrap;overflow-wrap:anywhere;padding-inline-start:2ch;text-indent:-2ch}
    .told .notable{font-weight:650}
    .empty{color:var(--quiet)}
    .events,.events ul{list-style:none}
    .events{font-size:.9rem}
    .events ul{margin-inline-start:.55rem;padding-inline-start:.9rem;
      border-inline-start:1.5px solid color-mix(in srgb,var(--quiet) 40%,transparent)}
    .events button{border:0;min-height:1.9rem;padding:.1rem .45rem;text-align:start;width:100%;
      border-inline-start:4px solid transparent;border-radius:0;overflow-wrap:anywhere}
    .events .kind{color:var(--quiet);margin-inline-end:1.5ch}
    .events .chain{background:var(--made);border-color:var(--swapped)}
    .events .chain .kind{color:inherit}
    .events [aria-pressed=true]{font-weight:650}
    .why{margin-top:.7rem;font-size:.9rem;min-height:1.5em}

    .tables{display:grid;gap:1rem 3rem;align-items:start}
    .tables>*{min-width:0}
    .tables td:first-child{min-width:15.5ch}
    .scroll{overflow-x:auto}
    table{border-collapse:collapse;width:100%;font-size:.9rem;line-height:1.4}
    th{text-align:start;font-weight:500;color:var(--quiet);font-size:.82rem}
    th,td{padding:.28rem .9rem .28rem 0;vertical-align:top;
      border-bottom:1px solid color-mix(in srgb,var(--quiet) 25%,transparent)}
    td{font-family:\(GraphStyle.mono);overflow-wrap:break-word}
    td:last-child{padding-inline-end:0}
    mark{background:var(--made);color:inherit;box-shadow:0 2px var(--swapped)}
    td small,.quiet{color:var(--quiet);font-size:.92em}
    tr.inherited td{color:var(--quiet)}
    tr.fresh td:first-child{box-shadow:inset 4px 0 var(--swapped);padding-inline-start:.7rem}
    .tag{font:650 .75rem \(GraphStyle.sans);border:1.5px solid var(--swapped);border-radius:1rem;
      padding:0 .45rem;margin-inline-start:.5rem;color:var(--ink);white-space:nowrap}
    summary{cursor:pointer;padding:.3rem 0}
    summary code{font-weight:650}
    .hint{color:var(--quiet);font-size:.85rem;margin-top:2.5rem}

    .lesson{max-width:46rem;margin:2rem 0 1rem;font-size:1.08rem}
    .lesson h1{font-size:clamp(1.6rem,1.2rem + 1.6vw,2.6rem);line-height:1.15;margin:.2rem 0 .7rem}
    .lesson.opening{display:grid;gap:0 3rem;max-width:none;align-items:end}
    .lesson.opening>*{min-width:0}
    .lesson del,.lesson ins{display:block;text-decoration:none;border-inline-start:4px solid;
      padding-inline-start:.6rem;margin-inline-start:calc(-.6rem - 4px)}
    .lesson del{border-color:var(--quiet);color:var(--quiet)}
    .lesson ins{border-color:var(--swapped);font-weight:650}
    .lesson p,.lesson ul,.lesson ol{margin:0 0 .9rem}
    .lesson ul,.lesson ol{padding-inline-start:1.4rem}
    .lesson details{margin:1.2rem 0;padding:.2rem 0 .2rem 1rem;border-inline-start:4px solid var(--observes)}
    .lesson .goal{color:var(--quiet)}
    .lesson h2{margin-top:1.6rem;color:var(--ink);font-size:1.1rem}
    .lesson pre{font:.9rem/1.55 \(GraphStyle.mono);background:var(--fill);padding:.8rem 1rem;
      overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
    .ways{display:flex;flex-wrap:wrap;gap:.5rem 2rem;justify-content:space-between;margin:2rem 0}
    .lessons{list-style:none;display:grid;gap:2.2rem 3rem;
      grid-template-columns:repeat(auto-fill,minmax(min(100%,30rem),1fr))}
    .lessons h2{font-size:1.25rem;color:var(--ink);margin-bottom:.2rem}
    .lessons .number{color:var(--quiet);font-variant-numeric:tabular-nums;margin-inline-end:.5ch}
    .lessons details{margin-top:.5rem}
    .lessons details>:not(summary){margin:.3rem 0 .3rem 1.1rem}
    .top{padding:.7rem clamp(1rem,2.5vw,3rem);max-width:96rem;margin:0 auto;display:flex;
      justify-content:space-between;align-items:center;gap:1rem}
    @media (min-width:60rem){
      .panels,.tables,.opening{grid-template-columns:repeat(2,minmax(0,1fr))}
      .wide{grid-column:1/-1}}
    @media (max-width:40rem){table{font-size:.82rem}td{overflow-wrap:anywhere}
      .tables td:first-child{min-width:9ch}.bar h1{max-width:60vw}
      .bar .theme{margin-inline-start:auto}.steps{order:3;flex-basis:100%}
      .steps output{min-width:0}.statement{flex-direction:column;gap:0}}
    .whole{display:none}
    .no-script .whole{display:block}
    .no-script :is(.steps,.theme,.statement,.stack,.hint,.stack~section){display:none}
    """

  private static let print = """
    @media print{
    @page{size:landscape;margin:12mm}
    html{font-size:11pt}
    .bar{position:static}
    .steps,.theme,.skip,.hint,.ways{display:none}
    .page,.bar>div{max-width:none;padding-inline:0}
    .panels{display:block}
    .panels>*,.whole{margin-top:6mm}
    .whole td{white-space:pre-wrap}
    .source{max-height:none;overflow:visible;columns:2}
    .source .now,.events .chain{outline:1.5px solid #000;background:none}
    mark{font-weight:700;box-shadow:0 2px #000}
    .drawing{overflow:visible}
    .drawing svg{max-height:120mm;min-width:0}
    .node,.edge{transition:none!important;opacity:1!important}
    tr,li,svg{break-inside:avoid}
    h2,h3,.statement{break-after:avoid}
    .whole{display:block;break-before:page}
    .tables{display:block}
    .tables details{margin-bottom:4mm}
    }

    """
}
